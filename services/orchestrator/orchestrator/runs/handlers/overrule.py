"""Overrule a judge's score of an item, or withdraw the person's score again.

The person's score is stored in a separate evaluator revision, "corrected by people". The run's statistics use this
revision only if the user promotes it (docs/decisions/0067).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from llmbench.contracts.run_words import ItemStatus, RunStatus
from llmbench.errors import FieldError, Problem
from llmbench.thresholds import reaches, tidy
from orchestrator.kernel.domain.overall import WeightedScore, overall
from orchestrator.kernel.domain.records import Item
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.settle_items import take_overall
from orchestrator.runs.ports.overrulings import MOST_CHANGES, Author, GivenScore, NewOverruling, OverrulingOut
from orchestrator.runs.ports.transaction import Overrulings, RunEvaluator

_OVER = frozenset({RunStatus.FINISHED, RunStatus.CANCELLED})


@dataclass(frozen=True)
class WantedScore:
    """The score of a person on the evaluator's scale, with the reason."""

    score: float
    reason: str


async def overrule(
    ledger: Ledger[Overrulings], item_id: UUID, revision_id: UUID, wanted: WantedScore, author: Author
) -> None:
    """Replace the judge's score by the person's score. Nothing changes if the same person already gave this score with
    this reason.

    Raises a `Problem`:

    - 404: there is no such item, evaluator or score.
    - 409: the run is not over, people cannot correct this evaluator's scores (for instance a program's), the judge gave
      no score, or the score was changed too often.
    - 422: the score is outside the scale. Or the author is not signed in and gives no name, or is signed in and gives
      one.
    """
    judge, item, score = await _judged(ledger, item_id, revision_id, author)
    low, high = judge.scale
    if not low <= wanted.score <= high:
        message = f"{wanted.score:g} is not on the evaluator's scale, which is {low:g} to {high:g}"
        raise invalid([FieldError("score", message)], "overruling")
    if score.raw is None:
        detail = f"{_name(judge)} gave this answer no score, so there is nothing to overrule. Judge it again first."
        raise Problem(409, "Nothing to overrule", detail)
    earlier = [each for each in await ledger.transaction.overrulings_of(item_id) if _is_of(each, revision_id)]
    last = _holding(earlier)
    if last is not None and (last.score, last.reason) == (wanted.score, wanted.reason) and _is_by(last, author):
        return
    if len(earlier) >= MOST_CHANGES:
        detail = f"The score was overruled or withdrawn {MOST_CHANGES} times, which is the limit."
        raise Problem(409, "Changed too often", detail)
    if await ledger.transaction.add_corrected(judge):
        ledger.note(f"{judge.slot}: people correct scores of {_name(judge)}, as a revision of their own")
        ledger.status_changed()
    mark = judge.pass_mark if judge.pass_threshold is None else judge.pass_threshold
    given = GivenScore(
        raw=wanted.score,
        normalised=tidy((wanted.score - low) / (high - low)),
        passed=None if mark is None else reaches(wanted.score, mark),
        reason=wanted.reason,
    )
    await _store(ledger, item, judge, NewOverruling(item_id, revision_id, len(earlier) + 1, score.raw, given, author))
    ledger.note(
        f"{judge.slot}, {item.case.task_id}: {score.raw:g} → {wanted.score:g} by {_who(author)}: {wanted.reason}"
    )


async def withdraw(ledger: Ledger[Overrulings], item_id: UUID, revision_id: UUID, author: Author) -> None:
    """Withdraw the person's score, so that the corrected scores have the judge's score again. The history keeps the
    withdrawn one.

    Raises a `Problem`:

    - 404: there is no such item, evaluator or score, or no person's score to withdraw.
    - 409: the run is not over, or people cannot correct this evaluator's scores (for instance a program's).
    - 422: the author is not signed in and gives no name, or is signed in and gives one.
    """
    judge, item, score = await _judged(ledger, item_id, revision_id, author)
    earlier = [each for each in await ledger.transaction.overrulings_of(item_id) if _is_of(each, revision_id)]
    last = _holding(earlier)
    if last is None or last.score is None:
        raise Problem(404, "Nothing to withdraw", "No person's score holds for this evaluator and item.")
    judged = last.judge_score if score.raw is None else score.raw
    new = NewOverruling(item_id, revision_id, len(earlier) + 1, judged, None, author)
    await _store(ledger, item, judge, new)
    ledger.note(f"{judge.slot}, {item.case.task_id}: {last.score:g} withdrawn by {_who(author)}")


async def _judged(
    ledger: Ledger[Overrulings], item_id: UUID, revision_id: UUID, author: Author
) -> tuple[RunEvaluator, Item, WeightedScore]:
    """Return the evaluator, the item and its score.

    Raises a `Problem` if one of them is missing, or if the run is not over. Also raises one if people cannot correct
    the scores of this evaluator, or if the author has no name.
    """
    if ledger.run.status not in _OVER:
        raise Problem(
            409,
            "The run is not over",
            f"The run is {ledger.run.status}: overrule its scores when it is finished, or cancel it first.",
            extra={"run_status": ledger.run.status},
        )
    evaluators = await ledger.transaction.evaluators()
    judge = next((evaluator for evaluator in evaluators if evaluator.revision_id == revision_id), None)
    if judge is None:
        raise Problem(404, "No such evaluator", f"The run has no evaluator revision {revision_id}.")
    _check_judge(judge)
    scores = (await ledger.transaction.scores_by_item([item_id])).get(item_id, [])
    items = await ledger.transaction.items([item_id])
    score = next((score for score in scores if score.revision_id == revision_id), None)
    if item_id not in items or score is None:
        raise Problem(404, "No such score", f"The run has no score by {judge.slot} for an item {item_id}.")
    _check_author(author)
    return judge, items[item_id], score


def _check_author(author: Author) -> None:
    if author.person_id is None and author.name is None:
        raise invalid([FieldError("by", "nobody is signed in: give your name")], "overruling")
    if author.person_id is not None and author.name is not None:
        raise invalid([FieldError("by", "you are signed in: leave the name out")], "overruling")


def _check_judge(judge: RunEvaluator) -> None:
    if judge.corrects is not None:
        detail = f"Its scores are corrected by people already. Name the judge's revision instead: {judge.corrects}."
    elif judge.member:
        detail = f"'{judge.slot}' is one judge of a panel. Overrule the panel's score, which counts."
    elif judge.embeds or not (judge.panel or judge.asks_judge):
        detail = f"'{judge.slot}' is no judge: a program computes its scores. People overrule the scores of judges."
    else:
        return
    raise Problem(409, "Not the score of a judge", detail)


async def _store(ledger: Ledger[Overrulings], item: Item, judge: RunEvaluator, new: NewOverruling) -> None:
    """Store the overruling. Update the item's overall score, too, if the revision "corrected by people" is primary."""
    corrected = next(each for each in await ledger.transaction.evaluators() if each.corrects == judge.revision_id)
    scores = (await ledger.transaction.scores_by_item([item.id]))[item.id]
    score = next(score for score in scores if score.revision_id == corrected.revision_id)
    await ledger.transaction.overrule(score.id, new)
    if corrected.primary and item.status in (ItemStatus.COMPLETED, ItemStatus.FAILED):
        take_overall(item, overall((await ledger.transaction.scores_by_item([item.id]))[item.id]))
        if ledger.run.gated and ledger.run.status is RunStatus.FINISHED:
            # Compare the run again, because its scores have changed.
            ledger.run.gate_due = True
            ledger.status_changed()
    ledger.item_changed(item)


def _holding(overrulings: Sequence[OverrulingOut]) -> OverrulingOut | None:
    """Return the newest of an evaluator's overrulings, which is the one that counts; `None` without overrulings.

    It is not always the first in the list, which is sorted by `created_at`. If a request waits for the run's lock, its
    overruling may have the earlier time, although it is stored last.
    """
    return next((each for each in overrulings if each.holds), None)


def _is_of(overruling: OverrulingOut, revision_id: UUID) -> bool:
    return overruling.evaluator_revision_id == revision_id


def _is_by(overruling: OverrulingOut, author: Author) -> bool:
    return (overruling.created_by, overruling.given_name) == (author.person_id, author.name)


def _name(judge: RunEvaluator) -> str:
    return "the panel" if judge.panel else judge.judge_model or judge.slot


def _who(author: Author) -> str:
    return author.name or "a person"
