"""Apply the inference gateway's reports of finished calls: the answers of targets and judges, warm-ups and releases."""

import random
from collections.abc import Sequence
from uuid import UUID

from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import Answered, Failure, Refused, Released, cause_of
from llmbench.contracts.run_logged import LogKind
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase, ScoreStatus
from orchestrator.kernel.domain.records import Group, Item, Score
from orchestrator.kernel.domain.transitions import ITEM, ItemMoves, allows
from orchestrator.runs.domain.retry import (
    FailGroup,
    FailOne,
    GoOn,
    Limits,
    SlowDown,
    TakeBack,
    TryAgain,
    WaitForCredit,
    decide,
    decide_warm_up,
)
from orchestrator.runs.handlers.fail_group import fail_group
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.tell_of_changes import tell_of_changes
from orchestrator.runs.handlers.trouble import (
    backoff_of,
    limits,
    record_warm_up,
    recover,
    slow_down,
    suspect,
    wait_for_credit,
    wait_for_model,
)
from orchestrator.runs.ports.transaction import RunRecords


async def apply_calls(ledger: Ledger[RunRecords], calls: Sequence[CallFinished]) -> None:
    """Update the run's groups and items from the gateway's reports of finished calls.

    A report of an unknown group, item or score is ignored, and so is a repeated report. An item takes an answer while
    it is NEW or IN_PROGRESS, even if the item was sent again since. A failure counts only if the item is IN_PROGRESS
    and was not sent again since.

    The report of a judge's call changes the run's log and warnings, and adds the call's id to the score. The result of
    the score comes from the judge service.
    """
    loaded = await ledger.transaction.items([call.item_id for call in calls if call.item_id is not None])
    judged = [call.score_id for call in calls if call.purpose is Purpose.SCORE and call.score_id is not None]
    scores = await ledger.transaction.scores(judged) if judged else {}
    for call in calls:
        group = ledger.groups.get(call.group_id)
        if group is None:
            continue
        match call.purpose:
            case Purpose.WARM_UP:
                _apply_warm_up(ledger, group, call)
            case Purpose.RELEASE:
                _apply_release(ledger, group, call)
            case Purpose.ITEM if call.item_id in loaded:
                _apply_answer(ledger, group, loaded[call.item_id], call)
            case Purpose.SCORE if call.item_id in loaded and call.score_id in scores:
                _show_judge_prompt(ledger, group, loaded[call.item_id], scores[call.score_id], call)
            case _:
                continue


def _apply_answer(ledger: Ledger[RunRecords], group: Group, item: Item, call: CallFinished) -> None:
    outcome = call.outcome
    if isinstance(outcome, Answered):
        if allows(ITEM, item.status, ItemMoves.ANSWER):
            _take_answer(ledger, group, item, call.call_id, outcome)
    elif not isinstance(outcome, Released) and item.status == ItemStatus.IN_PROGRESS and call.dispatch == item.dispatch:
        _take_failure(ledger, group, item, outcome)


def _take_answer(ledger: Ledger[RunRecords], group: Group, item: Item, call_id: UUID, outcome: Answered) -> None:
    if item.status == ItemStatus.IN_PROGRESS:
        item.attempts += 1
    item.call_id = call_id
    item.figures = outcome.figures
    item.answer_kind = outcome.answer_kind
    spend_on(ledger, outcome)
    recover(group)
    ledger.answer(item)
    ledger.log(LogKind.ANSWER, item, outcome.preview, truncated=outcome.truncated)
    tell_of_changes(ledger, group, outcome, whose=item.target_label, task_id=item.case.task_id)


def _take_failure(ledger: Ledger[RunRecords], group: Group, item: Item, failure: Failure) -> None:
    if isinstance(failure, Refused):
        tell_of_changes(ledger, group, failure, whose=item.target_label, task_id=item.case.task_id)
    decision = decide(
        failure,
        attempts=item.attempts + 1,
        failed_before=item.next_attempt_at is not None,
        backoff=backoff_of(group, item.id),
        limits=Limits(item.max_attempts, ledger.run.max_backoff_s),
        now=ledger.now,
        jitter=random.random(),  # noqa: S311  # jitter needs no cryptography
    )
    match decision:
        case TakeBack():
            # Undo the dispatch number, too: the next claim then requests the same call again.
            item.dispatch -= 1
            ledger.item_back_to_new(item, ItemMoves.TAKE_BACK)
        case SlowDown():
            slow_down(ledger, group, decision, item.id)
            item.next_attempt_at = decision.until if decision.check else item.next_attempt_at
            ledger.item_back_to_new(item, ItemMoves.RETRY)
        case WaitForCredit():
            wait_for_credit(ledger, group, decision)
            ledger.item_back_to_new(item, ItemMoves.RETRY)
        case TryAgain():
            suspect(group, decision, item.id)
            item.attempts += 1
            item.next_attempt_at = decision.at
            ledger.item_back_to_new(item, ItemMoves.RETRY)
            message = getattr(failure, "message", failure.kind)
            ledger.note(f"{item.case.task_id}: attempt {item.attempts} failed: {message}", "warning", group, item)
        case FailOne(kind, message, retryable):
            item.attempts += 1
            ledger.item_failed(item, _failed(kind, message, retryable=retryable, cause=cause_of(failure)))
            ledger.note(f"{item.case.task_id} failed: {message}", "error", group, item)
        case FailGroup(kind, message):
            ledger.item_failed(item, _failed(kind, message, retryable=True, cause=cause_of(failure)))
            fail_group(ledger, group, message, cause=cause_of(failure))


def _failed(kind: str, message: str, *, retryable: bool, cause: str) -> ItemFailure:
    return ItemFailure(phase=RunPhase.BENCHMARKING, kind=kind, message=message, retryable=retryable, cause=cause)


def _apply_warm_up(ledger: Ledger[RunRecords], group: Group, call: CallFinished) -> None:
    if not (group.call_in_flight and group.status == GroupStatus.WARMING_UP and call.dispatch == group.dispatch):
        return
    group.call_in_flight = False
    outcome = call.outcome
    if isinstance(outcome, Answered):
        spend_on(ledger, outcome)
    if isinstance(outcome, Answered | Released):
        _record_warm_up(
            ledger, group, f" in {outcome.timings.total_ms / 1000:.1f} s" if isinstance(outcome, Answered) else ""
        )
        return
    decision = decide_warm_up(
        outcome,
        attempts=group.warm_up_attempts + 1,
        backoff=backoff_of(group),
        limits=limits(ledger),
        now=ledger.now,
        jitter=random.random(),  # noqa: S311  # jitter needs no cryptography
    )
    match decision:
        case TakeBack():
            group.dispatch -= 1
        case SlowDown():
            group.warm_up_attempts += 1
            wait_for_model(ledger, group, decision)
        case WaitForCredit():
            wait_for_credit(ledger, group, decision)
        case GoOn(note):
            _record_warm_up(ledger, group, f", and {note}")
        case FailGroup(_, message):
            fail_group(ledger, group, message, cause=cause_of(outcome))


def _record_warm_up(ledger: Ledger[RunRecords], group: Group, how: str) -> None:
    if record_warm_up(group):
        ledger.note(f"{group.name()} answers a warm-up{how}: its work goes on", group=group)
    else:
        ledger.note(f"{group.name()} is warm{how}", group=group)


def _apply_release(ledger: Ledger[RunRecords], group: Group, call: CallFinished) -> None:
    if not (group.call_in_flight and group.status == GroupStatus.RELEASING and call.dispatch == group.dispatch):
        return
    group.call_in_flight = False
    if isinstance(call.outcome, Released):
        if call.outcome.unloaded:
            ledger.note(f"{group.name()} was unloaded", group=group)
    else:
        reason = getattr(call.outcome, "message", call.outcome.kind)
        ledger.note(f"{group.name()} could not be unloaded: {reason}", "warning", group)


def _show_judge_prompt(ledger: Ledger[RunRecords], group: Group, item: Item, score: Score, call: CallFinished) -> None:
    if isinstance(call.outcome, Answered) and not call.from_memory and call.call_id not in score.call_ids:
        if score.status == ScoreStatus.IN_PROGRESS:
            # A repeated report is recognised by its call id. A verdict replaces this list.
            score.call_ids = [*score.call_ids, call.call_id]
            ledger.score_changed(score)
        model = group.lane.model if group.lane else None
        ledger.log(LogKind.JUDGE_PROMPT, item, call.prompt_preview, model=model)
        tell_of_changes(ledger, group, call.outcome, whose=f"judge {model}", task_id=item.case.task_id)


def spend_on(ledger: Ledger[RunRecords], outcome: Answered) -> None:
    ledger.spend(outcome.cost.usd if outcome.cost else 0.0, unpriced_calls=int(outcome.cost is None))
