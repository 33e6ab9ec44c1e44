"""Decide the gates between the tasks of a suite run."""

from collections.abc import Iterable, Mapping, Sequence, Set
from uuid import UUID

from llmbench.thresholds import reaches, tidy
from orchestrator.kernel.domain.overall import WeightedScore, overall
from orchestrator.kernel.domain.records import TaskGate


def mean_of(scores: Iterable[Sequence[WeightedScore]]) -> tuple[float | None, int]:
    """Return the mean of the answers' overall scores, and the number of answers that have an overall score.

    Each element of `scores` has all scores of one answer. Answers without an overall score are left out, as in the
    suite's results. The mean is null if no answer is left.
    """
    values = [total for total in (overall(of_item).normalised for of_item in scores) if total is not None]
    return (tidy(sum(values) / len(values)) if values else None), len(values)


def passes(gate: TaskGate, score: float | None) -> bool:
    """Return whether the score of the gating task opens the gate. A task without a score does not open it."""
    return score is not None and reaches(score, gate.min_score)


def why_skipped(gate: TaskGate, task: str) -> str:
    """Return the reason, for the user, why the failed gate skips `task`. `task` is one of `gate.holds`: the task of the
    gate itself, or a task that depends on that task."""
    found = "has no score" if gate.score is None else f"scored {gate.score:.3g}"
    why = f"'{gate.gating_task}' {found}, and '{gate.task}' needs {gate.min_score:g}"
    return why if task == gate.task else f"'{task}' waits for '{gate.task}': {why}"


def gates_to_reopen(failed: Sequence[TaskGate], retried: Set[tuple[UUID, str]]) -> list[TaskGate]:
    """Return those of the `failed` gates that have to be decided again when items are retried. `retried` has the target
    and the task of each retried item.

    A gate is decided again if it depends on the score of a retried task. Skipped tasks may then be asked after all, so
    the gates that depend on their scores are decided again, too.
    """
    chosen = [gate for gate in failed if (gate.target_id, gate.gating_task) in retried]
    while True:
        asked = tasks_to_ask(failed, chosen)
        more = [
            gate for gate in failed if gate not in chosen and gate.gating_task in asked.get(gate.target_id, frozenset())
        ]
        if not more:
            return chosen
        chosen += more


def tasks_to_ask(failed: Sequence[TaskGate], reopened: Sequence[TaskGate]) -> Mapping[UUID, frozenset[str]]:
    """Return, by target, the skipped tasks that may be asked after all. `reopened` are those of the `failed` gates that
    are decided again. A task is left out if one of the other failed gates still skips it."""
    asked: dict[UUID, frozenset[str]] = {}
    for gate in reopened:
        asked[gate.target_id] = asked.get(gate.target_id, frozenset()).union(gate.holds)
    for gate in failed:
        if gate not in reopened and gate.target_id in asked:
            asked[gate.target_id] = asked[gate.target_id].difference(gate.holds)
    return asked
