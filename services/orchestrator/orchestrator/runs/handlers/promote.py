"""Promote another revision of an evaluator: the run's statistics and item scores then use it."""

from collections.abc import Sequence
from uuid import UUID

from llmbench.contracts.run_words import RunStatus
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.domain.overall import overall
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.settle_items import take_overall
from orchestrator.runs.ports.transaction import PrimaryRevisions, RunEvaluator, RunRecords

_OVER = frozenset({RunStatus.FINISHED, RunStatus.CANCELLED})
_ITEMS_AT_ONCE = 500


async def promote(ledger: Ledger[PrimaryRevisions], revision_id: UUID) -> None:
    """Make the revision that the user chose the primary one of its evaluator. If it already is, nothing changes.

    Raises a 409 `Problem` if the run is not over, or if the revision scored nothing. Raises a 422 `Problem` if the
    revision is not in the run, or is only a member of a panel.
    """
    if ledger.run.status not in _OVER:
        raise Problem(
            409,
            "The run is not over",
            f"The run is {ledger.run.status}: choose its primary revision when it is finished, or cancel it first.",
            extra={"run_status": ledger.run.status},
        )
    present = await ledger.transaction.evaluators()
    chosen = _chosen(present, revision_id)
    if chosen.primary:
        return
    if not await ledger.transaction.has_scored(revision_id):
        whose = _who(chosen, present)
        detail = f"{whose} scored no answer of this run, so it has no figures. Let it judge the answers first."
        raise Problem(409, "It scored nothing", detail)
    await ledger.transaction.promote(chosen.slot, revision_id)
    await _rescore_items(ledger)
    if ledger.run.gated and ledger.run.status is RunStatus.FINISHED:
        # Compare the run again, because its scores have changed.
        ledger.run.gate_due = True
        ledger.status_changed()
    ledger.note(f"{chosen.slot}: the primary revision is {_who(chosen, present)}'s now, as you chose")


async def promote_scoring(ledger: Ledger[PrimaryRevisions]) -> None:
    """Replace each primary revision that scored nothing, if another revision of the same evaluator scored. Called at
    the end of a run.

    The items' overall scores need no change: without a score of the primary revision, they already use that of another
    revision.
    """
    await ledger.flush()
    promotable = await ledger.transaction.promotable()
    if not promotable:
        return
    present = await ledger.transaction.evaluators()
    revisions = {evaluator.revision_id: evaluator for evaluator in present}
    for slot, revision_id in promotable:
        await ledger.transaction.promote(slot, revision_id)
        whose = _who(revisions[revision_id], present)
        ledger.note(f"{slot}: the primary revision is {whose}'s now: the one before scored nothing")


def _chosen(evaluators: list[RunEvaluator], revision_id: UUID) -> RunEvaluator:
    chosen = next((evaluator for evaluator in evaluators if evaluator.revision_id == revision_id), None)
    if chosen is None:
        message = "is no evaluator revision of this run; its `evaluators` list them"
        raise invalid([FieldError("revision_id", message)])
    if chosen.member:
        raise invalid([FieldError("revision_id", "is one judge of a panel; the panel's own revision counts")])
    return chosen


async def _rescore_items(ledger: Ledger[RunRecords]) -> None:
    answered = await ledger.transaction.answered_items()
    for begin in range(0, len(answered), _ITEMS_AT_ONCE):
        items = answered[begin : begin + _ITEMS_AT_ONCE]
        scores = await ledger.transaction.scores_by_item([item.id for item in items])
        for item in items:
            before = item.score, item.passed, item.reason, item.score_revision_id
            take_overall(item, overall(scores.get(item.id, [])))
            if before != (item.score, item.passed, item.reason, item.score_revision_id):
                ledger.item_changed(item)


def _who(evaluator: RunEvaluator, present: Sequence[RunEvaluator]) -> str:
    judge = next((each for each in present if each.revision_id == evaluator.corrects), None)
    if judge is not None:
        return f"{_who(judge, present)} corrected by people"
    return "the panel" if evaluator.panel else evaluator.judge_model or "the program"
