"""Follow the gates between the tasks of a suite run: create the deciding scores, decide the gates, and skip tasks.

These gates are the only exception to the rule that a run is judged after all its answers. The scores that decide a gate
are made by programs, so the model of the group stays loaded, and no other model is asked.
"""

from uuid import UUID

from llmbench.contracts.run_words import ItemStatus, TaskGateStatus
from orchestrator.kernel.domain.records import TaskGate
from orchestrator.kernel.domain.transitions import TaskGateMoves
from orchestrator.runs.domain.task_gates import gates_to_reopen, mean_of, passes, tasks_to_ask, why_skipped
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import Reopening, TaskGating


async def follow_task_gates(ledger: Ledger[TaskGating]) -> None:
    """Decide the gates between the tasks of the run's suite, as far as that is possible now. Does nothing if all gates
    are decided.

    If new answers have arrived on which a gate depends, create their scores. Then decide each gate whose answers all
    have scores.
    """
    if not ledger.run.open_task_gates:
        return
    await ledger.flush()
    await _create_scores(ledger)
    while due := await ledger.transaction.due_task_gates():
        for gate in due:
            await _decide(ledger, gate)
        await ledger.flush()


async def _create_scores(ledger: Ledger[TaskGating]) -> None:
    answered = [item for item in ledger.changed_items() if item.status == ItemStatus.WAITING_FOR_JUDGE]
    if not answered:
        return
    gates = await ledger.transaction.task_gates(TaskGateStatus.OPEN)
    deciding = {(gate.target_id, gate.gating_task) for gate in gates}
    chosen = [item.id for item in answered if (item.target_id, item.case.suite_task) in deciding]
    if chosen:
        ledger.scores_created(await ledger.transaction.create_scores_of_items(chosen))


async def _decide(ledger: Ledger[TaskGating], gate: TaskGate) -> None:
    gate.score, gate.scored = mean_of((await ledger.transaction.program_scores(gate)).values())
    gate.decided_at = ledger.now
    ledger.run.open_task_gates -= 1
    which = f"{gate.target_label}: '{gate.gating_task}' " + (
        "has no score" if gate.score is None else f"scored {gate.score:.3g} over {gate.scored} answers"
    )
    if passes(gate, gate.score):
        gate.move(TaskGateMoves.PASS)
        ledger.note(f"{which}: the gate of '{gate.task}' ({gate.min_score:g}) is passed")
    else:
        gate.move(TaskGateMoves.FAIL)
        items = await ledger.transaction.items_of_tasks(gate.target_id, gate.holds, ItemStatus.NEW)
        for item in items:
            ledger.item_skipped(item, f"Skipped: {why_skipped(gate, item.case.suite_task or gate.task)}.")
        names = ", ".join(f"'{name}'" for name in gate.holds)
        ledger.note(f"{which}, and '{gate.task}' needs {gate.min_score:g}: {names} skipped", "warning")
    await ledger.transaction.save_task_gates([gate])


async def reopen_task_gates(ledger: Ledger[Reopening]) -> bool:
    """Reopen each failed gate that depends on a retried task. Reset the items that these gates skipped, so that they
    are asked after all. Return whether a gate was reopened."""
    retried = {
        (item.target_id, item.case.suite_task) for item in ledger.changed_items() if item.case.suite_task is not None
    }
    failed = await ledger.transaction.task_gates(TaskGateStatus.FAILED) if retried else []
    reopened = gates_to_reopen(failed, retried)
    if not reopened:
        return False
    await ledger.flush()
    asked = tasks_to_ask(failed, reopened)
    for target_id, tasks in asked.items():
        await _ask_after_all(ledger, target_id, sorted(tasks))
    for gate in reopened:
        gate.move(TaskGateMoves.REOPEN)
        gate.score, gate.scored, gate.decided_at = None, 0, None
    ledger.run.open_task_gates += len(reopened)
    await ledger.transaction.save_task_gates(reopened)
    return True


async def _ask_after_all(ledger: Ledger[Reopening], target_id: UUID, tasks: list[str]) -> None:
    for item in await ledger.transaction.items_of_tasks(target_id, tasks, ItemStatus.SKIPPED):
        ledger.item_asked_after_all(item)
