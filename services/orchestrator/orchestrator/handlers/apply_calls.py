"""Reports of the inference gateway: an item's answer, a warm-up, a release, a judge's own call."""

import random
from collections.abc import Sequence
from uuid import UUID

from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import Answered, Failure, Released
from llmbench.contracts.run_logged import LogKind
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase
from orchestrator.domain.records import Group, Item
from orchestrator.domain.retry import (
    Backoff,
    FailGroup,
    FailOne,
    GoOn,
    Limits,
    SlowDown,
    TakeBack,
    TryAgain,
    decide,
    decide_warm_up,
)
from orchestrator.domain.transitions import ITEM, GroupMoves, ItemMoves, allows
from orchestrator.handlers.fail_group import fail_group
from orchestrator.handlers.ledger import Ledger


async def apply_calls(ledger: Ledger, calls: Sequence[CallFinished]) -> None:
    """Duplicates and reports of an earlier dispatch are normal: they change nothing."""
    loaded = await ledger.transaction.items([call.item_id for call in calls if call.item_id is not None])
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
            case Purpose.SCORE if call.item_id in loaded:
                _show_judge_prompt(ledger, group, loaded[call.item_id], call)
            case _:
                continue


def _apply_answer(ledger: Ledger, group: Group, item: Item, call: CallFinished) -> None:
    outcome = call.outcome
    if isinstance(outcome, Answered):
        if allows(ITEM, item.status, ItemMoves.ANSWER):
            _take_answer(ledger, group, item, call.call_id, outcome)
    elif not isinstance(outcome, Released) and item.status == ItemStatus.IN_PROGRESS and call.dispatch == item.dispatch:
        _take_failure(ledger, group, item, outcome)


def _take_answer(ledger: Ledger, group: Group, item: Item, call_id: UUID, outcome: Answered) -> None:
    if item.status == ItemStatus.IN_PROGRESS:
        item.attempts += 1
    item.call_id = call_id
    item.time_ms = outcome.timings.total_ms
    item.first_token_ms = outcome.timings.first_token_ms
    item.first_content_ms = outcome.timings.first_content_ms
    item.prompt_tokens = outcome.usage.prompt_tokens
    item.completion_tokens = outcome.usage.completion_tokens
    item.reasoning_tokens = outcome.usage.reasoning_tokens
    item.usage_source = outcome.usage.source
    item.tokens_per_second = outcome.timings.tokens_per_second
    item.finish_reason = outcome.finish_reason
    item.answer_kind = outcome.answer_kind
    item.cost_usd = outcome.cost.usd if outcome.cost else None
    item.cached = outcome.cached
    spend_on(ledger, outcome)
    group.recover()
    ledger.answer(item)
    ledger.log(LogKind.ANSWER, item, outcome.preview, truncated=outcome.truncated)


def _take_failure(ledger: Ledger, group: Group, item: Item, failure: Failure) -> None:
    decision = decide(
        failure,
        attempts=item.attempts + 1,
        backoff=Backoff(group.backoff_since, group.backoff_count),
        limits=Limits(item.max_attempts, ledger.run.max_backoff_s),
        now=ledger.now,
        jitter=random.random(),  # noqa: S311  # spreads retries, guards nothing
    )
    match decision:
        case TakeBack():
            # The number goes back with the item: the next claim asks for the same call again.
            item.dispatch -= 1
            ledger.item_back_to_new(item, ItemMoves.TAKE_BACK)
        case SlowDown():
            slow_down(ledger, group, decision)
            ledger.item_back_to_new(item, ItemMoves.RETRY)
        case TryAgain(at):
            item.attempts += 1
            item.next_attempt_at = at
            ledger.item_back_to_new(item, ItemMoves.RETRY)
            message = getattr(failure, "message", failure.kind)
            ledger.note(f"{item.case.task_id}: attempt {item.attempts} failed: {message}", "warning", group)
        case FailOne(kind, message, retryable):
            item.attempts += 1
            phase = RunPhase.BENCHMARKING
            ledger.item_failed(item, ItemFailure(phase=phase, kind=kind, message=message, retryable=retryable))
            ledger.note(f"{item.case.task_id} failed: {message}", "error", group)
        case FailGroup(kind, message):
            phase = RunPhase.BENCHMARKING
            ledger.item_failed(item, ItemFailure(phase=phase, kind=kind, message=message, retryable=True))
            fail_group(ledger, group, message)


def _apply_warm_up(ledger: Ledger, group: Group, call: CallFinished) -> None:
    if not (group.call_in_flight and group.status == GroupStatus.WARMING_UP and call.dispatch == group.dispatch):
        return
    group.call_in_flight = False
    outcome = call.outcome
    if isinstance(outcome, Answered):
        spend_on(ledger, outcome)
    if isinstance(outcome, Answered | Released):
        _be_warm(ledger, group, f" in {outcome.timings.total_ms / 1000:.1f} s" if isinstance(outcome, Answered) else "")
        return
    decision = decide_warm_up(
        outcome,
        attempts=group.warm_up_attempts + 1,
        backoff=Backoff(group.backoff_since, group.backoff_count),
        limits=limits(ledger),
        now=ledger.now,
        jitter=random.random(),  # noqa: S311  # spreads retries, guards nothing
    )
    match decision:
        case TakeBack():
            group.dispatch -= 1
        case SlowDown():
            group.warm_up_attempts += 1
            slow_down(ledger, group, decision)
        case GoOn(note):
            _be_warm(ledger, group, f", and {note}")
        case FailGroup(_, message):
            fail_group(ledger, group, message)


def _be_warm(ledger: Ledger, group: Group, how: str) -> None:
    group.recover()
    group.warm_up_attempts = 0
    group.move(GroupMoves.WARMED_UP)
    ledger.note(f"{group.name()} is warm{how}", group=group)


def _apply_release(ledger: Ledger, group: Group, call: CallFinished) -> None:
    if not (group.call_in_flight and group.status == GroupStatus.RELEASING and call.dispatch == group.dispatch):
        return
    group.call_in_flight = False
    if isinstance(call.outcome, Released):
        if call.outcome.unloaded:
            ledger.note(f"{group.name()} was unloaded", group=group)
    else:
        reason = getattr(call.outcome, "message", call.outcome.kind)
        ledger.note(f"{group.name()} could not be unloaded: {reason}", "warning", group)


def _show_judge_prompt(ledger: Ledger, group: Group, item: Item, call: CallFinished) -> None:
    if isinstance(call.outcome, Answered) and not call.from_memory:
        model = group.lane.model if group.lane else None
        ledger.log(LogKind.JUDGE_PROMPT, item, call.prompt_preview, model=model)


def slow_down(ledger: Ledger, group: Group, decision: SlowDown) -> None:
    if group.slow_down(until=decision.until, reason=decision.reason, now=ledger.now):
        seconds = max(0.0, (decision.until - ledger.now).total_seconds())
        ledger.note(f"backing off for {seconds:.1f} s: {decision.reason}", "warning", group)


def spend_on(ledger: Ledger, outcome: Answered) -> None:
    ledger.spend(outcome.cost.usd if outcome.cost else 0.0, unpriced_calls=int(outcome.cost is None))


def limits(ledger: Ledger) -> Limits:
    return Limits(max_attempts=ledger.run.max_attempts, max_backoff_s=ledger.run.max_backoff_s)
