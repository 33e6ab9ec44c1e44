"""Reopen a finished run: retry failures, use another judge, or add evaluators.

Existing answers are never requested again. The scores of each judge are stored separately, so another judge replaces no
score.
"""

from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunPhase
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.domain.new_run import Idempotency, NewEvaluator
from orchestrator.kernel.domain.records import Item
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.revision import with_members
from orchestrator.kernel.domain.transitions import RunMoves
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.orders import require
from orchestrator.runs.handlers.org_budget import require_org_budget
from orchestrator.runs.handlers.settle_items import settle_items
from orchestrator.runs.handlers.task_gates import reopen_task_gates
from orchestrator.runs.ports.transaction import Reopening, RunRecords


async def retry_failed(
    ledger: Ledger[Reopening], item_ids: Sequence[UUID] | None, idempotency: Idempotency | None
) -> None:
    """Reopen the run to retry its failed items: answers that failed, and judgings that failed. `item_ids` selects
    items; null selects all that failed.

    If a named item is an unanswered turn, all unanswered turns of its conversation are retried. Raises a `Problem`: 409
    if the run is not finished, nothing failed, or a provider was deleted; 422 if a named item did not fail.
    """
    items = await _failed(ledger, item_ids, phase=None)
    if item_ids is not None:
        known = {item.id for item in items}
        items += [turn for turn in await _unanswered_turns(ledger, items) if turn.id not in known]
    unanswered = [item for item in items if _is_unanswered(item)]
    for item in unanswered:
        ledger.item_answer_again(item)
    await _judge_again(ledger, [item for item in items if item not in unanswered])
    # Gates that the retried answers decide are decided again, while models may answer.
    gated = await reopen_task_gates(ledger)
    phase = RunPhase.BENCHMARKING if unanswered or gated else RunPhase.JUDGING
    await _reopen(ledger, phase, f"trying {len(items)} failed items again", idempotency)


async def retry_judging(
    ledger: Ledger[Reopening],
    item_ids: Sequence[UUID] | None,
    idempotency: Idempotency | None,
    *,
    slot: str | None = None,
) -> None:
    """Reopen the run, and let the same judges retry the failed judgings of the items `item_ids`, or of all items if it
    is null.

    With `slot`, the failed scores of this evaluator are retried. Without `slot`, all failed scores of FAILED items are
    retried, but not those of optional evaluators on COMPLETED items. Raises a `Problem`: 409 if the run is not
    finished, nothing failed, or a provider was deleted; 422 if a named item did not fail.
    """
    items = await _failed(ledger, item_ids, phase=RunPhase.JUDGING, slot=slot)
    await _judge_again(ledger, items, slot=slot)
    phase = RunPhase.BENCHMARKING if await reopen_task_gates(ledger) else RunPhase.JUDGING
    await _reopen(ledger, phase, f"judging {len(items)} items again", idempotency)


async def ask_another_judge(
    ledger: Ledger[Reopening],
    item_ids: Sequence[UUID] | None,
    evaluator: NewEvaluator,
    warned: Sequence[Warning],
    idempotency: Idempotency | None,
    *,
    whole: bool,
) -> None:
    """Reopen the run so that `evaluator`, an evaluator of the run with another judge, scores answers. `warned` are
    warnings to store with the run.

    With `whole`, it scores every answer of the run. Otherwise it scores only answers for which a judge of this
    evaluator failed; `item_ids` restricts them further, unless it is null. An answer that the judge itself has scored
    before is not scored again, unless that score failed.

    Raises a `Problem`:

    - 409: the run is not finished, nothing failed, a provider was deleted, or the judge has already scored all these
      items.
    - 422: a named item did not fail.
    """
    require(ledger, RunMoves.REOPEN)
    assert evaluator.judge is not None
    judge = evaluator.judge
    transaction = ledger.transaction
    items = (
        await transaction.answered_items()
        if whole
        else await _failed(ledger, item_ids, phase=RunPhase.JUDGING, slot=evaluator.slot)
    )
    revision_id, touched = await _add_scores(ledger, evaluator, items, whole=whole)
    for score in await transaction.failed_scores([item.id for item in items], slot=evaluator.slot):
        if score.evaluator_revision_id == revision_id:
            ledger.score_again(score)
            touched.add(score.item_id)
    if not touched:
        which = "answer of this run" if whole else "answer whose judging failed" if item_ids is None else "named answer"
        raise Problem(409, "Nothing to judge", f"{judge.model} has scored every {which} already.")
    _judge_items_again(ledger, items, touched)
    _warn(ledger, warned)
    await _reopen(ledger, RunPhase.JUDGING, f"{judge.model} judges {len(touched)} items", idempotency)


async def add_evaluators(
    ledger: Ledger[Reopening],
    evaluators: Sequence[NewEvaluator],
    warned: Sequence[Warning],
    idempotency: Idempotency | None,
) -> None:
    """Add the evaluators, and reopen the run so that each scores every existing answer to which it applies. Existing
    scores are kept. `warned` are warnings to store with the run.

    If no score is missing, the run stays finished. Raises a 409 `Problem` if the run is not finished, or if a provider
    was deleted.
    """
    require(ledger, RunMoves.REOPEN)
    items = await ledger.transaction.answered_items()
    touched: set[UUID] = set()
    for evaluator in with_members(evaluators):
        _, created = await _add_scores(ledger, evaluator, items, whole=True)
        touched |= created
    if not touched:
        return
    _judge_items_again(ledger, items, touched)
    _warn(ledger, warned)
    names = ", ".join(evaluator.slot for evaluator in evaluators)
    await _reopen(ledger, RunPhase.JUDGING, f"{names}: {len(touched)} items are scored", idempotency)
    if any(evaluator.panel for evaluator in evaluators):
        # A panel whose members had all scored earlier is decided now.
        await settle_items(ledger, list(touched))


async def _add_scores(
    ledger: Ledger[Reopening], evaluator: NewEvaluator, items: Sequence[Item], *, whole: bool
) -> tuple[UUID, set[UUID]]:
    """Add the evaluator to the run, and create its missing scores of `items`. Return the ids of its revision and of the
    items that got a new score."""
    group, revision_id = await ledger.transaction.add_evaluator(evaluator, whole=whole)
    created = await ledger.transaction.create_scores_of(revision_id, group, [item.id for item in items])
    if group is not None:
        ledger.groups[group.id] = group
        group.new_count += len(created)
        if created:
            group.reopen()
    return revision_id, created


def _judge_items_again(ledger: Ledger[RunRecords], items: Sequence[Item], touched: set[UUID]) -> None:
    for item in items:
        if item.id in touched:
            ledger.item_judge_again(item)


def _warn(ledger: Ledger[RunRecords], warned: Sequence[Warning]) -> None:
    ledger.run.warnings += [asdict(warning) for warning in warned if asdict(warning) not in ledger.run.warnings]


async def _failed(
    ledger: Ledger[Reopening], item_ids: Sequence[UUID] | None, *, phase: RunPhase | None, slot: str | None = None
) -> list[Item]:
    """Return the items that failed in `phase` (null: in any phase), restricted to `item_ids` if it is given.

    With `slot`, return instead the items that have a failed score of that evaluator. They are FAILED, unless the
    evaluator is optional. Raises a `Problem`: 409 if the run is not finished or no item failed, 422 if a named item did
    not fail.
    """
    require(ledger, RunMoves.REOPEN)
    if slot is None:
        items = await ledger.transaction.failed_items(phase)
    else:
        failed = await ledger.transaction.failed_scores(None, slot=slot)
        items = list((await ledger.transaction.items([score.item_id for score in failed])).values())
    if item_ids is not None:
        wanted = set(item_ids)
        unknown = wanted - {item.id for item in items}
        if unknown:
            wanted_kind = "failed item" if phase is None else "item whose judging failed"
            named = ", ".join(sorted(map(str, unknown))[:5])
            raise invalid([FieldError("item_ids", f"no {wanted_kind} of this run: {named}")])
        items = [item for item in items if item.id in wanted]
    if not items:
        detail = "No item of this run failed." if phase is None else "Judging failed on no item of this run."
        raise Problem(409, "Nothing to try again", detail)
    return items


async def _unanswered_turns(ledger: Ledger[Reopening], chosen: Sequence[Item]) -> list[Item]:
    """Return all unanswered turns of each conversation that has an unanswered turn among `chosen`. They are retried
    together, because each turn waits for the one before."""
    conversations = {_conversation(item) for item in chosen if item.case.turn is not None and _is_unanswered(item)}
    if not conversations:
        return []
    failed = await ledger.transaction.failed_items(RunPhase.BENCHMARKING)
    return [item for item in failed if item.case.turn is not None and _conversation(item) in conversations]


def _is_unanswered(item: Item) -> bool:
    return item.failure is not None and item.failure.phase == RunPhase.BENCHMARKING


def _conversation(item: Item) -> tuple[UUID, int, str | None]:
    return item.target_id, item.epoch, item.case.conversation_id


async def _judge_again(ledger: Ledger[Reopening], items: Sequence[Item], *, slot: str | None = None) -> None:
    for score in await ledger.transaction.failed_scores([item.id for item in items], slot=slot):
        ledger.score_again(score)
    for item in items:
        ledger.item_judge_again(item)


async def _reopen(ledger: Ledger[Reopening], phase: RunPhase, note: str, idempotency: Idempotency | None) -> None:
    await require_org_budget(ledger)
    run = ledger.run
    run.move(RunMoves.REOPEN)
    run.concurrent = False
    run.phase = phase
    run.outcome = run.finished_at = run.status_reason = None
    run.gate_due = False
    run.reopened_at = ledger.now
    ledger.gate = RunGate.OPEN
    await ledger.flush()
    await ledger.transaction.reopen_panels(ledger.now)
    # Read the providers again, because the user may have corrected one.
    gone = await ledger.transaction.refresh_providers([group for group in ledger.groups.values() if group.new_count])
    if gone:
        raise Problem(409, "A provider is gone", f"The provider of {gone[0].name()} was deleted.")
    if idempotency is not None:
        await ledger.transaction.remember_key(idempotency)
    ledger.status_changed()
    ledger.note(note)
