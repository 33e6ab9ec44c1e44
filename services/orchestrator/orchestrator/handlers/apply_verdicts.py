"""Reports of the judge: a score, or a typed reason why there is none."""

import random
from collections.abc import Sequence

from llmbench.contracts.answer_scored import AnswerScored, Errored, JudgeRefused, Scored, Unparsed
from llmbench.contracts.outcome import Failure, NotStarted
from llmbench.contracts.run_logged import LogKind
from llmbench.contracts.run_words import ScoreStatus
from llmbench.thresholds import reaches
from orchestrator.domain.records import Group, Score
from orchestrator.domain.retry import Backoff, FailGroup, FailOne, SlowDown, TakeBack, TryAgain, decide
from orchestrator.domain.transitions import SCORE, ScoreMoves, allows
from orchestrator.handlers.apply_calls import limits, slow_down
from orchestrator.handlers.fail_group import fail_group
from orchestrator.handlers.ledger import Ledger
from orchestrator.handlers.settle_items import settle_items


async def apply_verdicts(ledger: Ledger, events: Sequence[AnswerScored]) -> None:
    """A verdict counts from any dispatch while the score has none; a failure only from the current."""
    loaded = await ledger.transaction.scores([event.score_id for event in events])
    items = await ledger.transaction.items([score.item_id for score in loaded.values()])
    touched: list[Score] = []
    for event in events:
        score = loaded.get(event.score_id)
        if score is None:
            continue
        verdict = event.verdict
        if isinstance(verdict, Scored):
            if not allows(SCORE, score.status, ScoreMoves.VERDICT):
                continue
            _take_verdict(ledger, score, verdict, event)
            lane = ledger.groups[score.group_id].lane
            text = f"{verdict.raw:g} of {verdict.scale_max:g}: {verdict.reason}"
            ledger.log(LogKind.VERDICT, items[score.item_id], text, model=lane.model if lane else score.slot)
        elif score.status == ScoreStatus.IN_PROGRESS and event.dispatch == score.dispatch:
            _take_no_verdict(ledger, score, verdict, event)
        else:
            continue
        touched.append(score)
    await settle_items(ledger, [score.item_id for score in touched])


def _take_verdict(ledger: Ledger, score: Score, verdict: Scored, event: AnswerScored) -> None:
    if score.status == ScoreStatus.IN_PROGRESS:
        score.attempts += 1
    score.outcome = "scored"
    score.raw, score.normalised = verdict.raw, verdict.normalised
    score.passed = verdict.passed if score.pass_threshold is None else reaches(verdict.raw, score.pass_threshold)
    score.reason, score.details, score.error = verdict.reason, dict(verdict.details), None
    score.call_ids = list(event.call_ids)
    _spend_on(ledger, score, event)
    ledger.groups[score.group_id].recover()
    ledger.score_done(score)


def _take_no_verdict(
    ledger: Ledger, score: Score, verdict: Unparsed | JudgeRefused | Errored, event: AnswerScored
) -> None:
    group = ledger.groups[score.group_id]
    score.call_ids = list(event.call_ids)
    if not (isinstance(verdict, Errored) and isinstance(verdict.failure, NotStarted)):
        # What was not started keeps its dispatch number: its steps report their cost when they come again.
        _spend_on(ledger, score, event)
    match verdict:
        case Unparsed(problem=problem, raw_text=raw_text):
            score.attempts += 1
            score.details = {"raw_text": raw_text}
            if score.attempts < ledger.run.max_attempts:
                ledger.note(
                    f"verdict not understood ({score.slot}, attempt {score.attempts}): {problem}", "warning", group
                )
                ledger.score_back_to_new(score, ScoreMoves.RETRY)
            else:
                ledger.score_failed(score, outcome="unparsed", error=problem)
        case JudgeRefused(message=message):
            score.attempts += 1
            ledger.score_failed(score, outcome="refused", error=message)
        case Errored(failure=failure):
            _take_failure(ledger, group, score, failure)


def _spend_on(ledger: Ledger, score: Score, event: AnswerScored) -> None:
    if event.cost_usd is not None:
        score.cost_usd = (score.cost_usd or 0.0) + event.cost_usd
    ledger.spend(event.cost_usd or 0.0, unpriced_calls=event.unpriced_calls)


def _take_failure(ledger: Ledger, group: Group, score: Score, failure: Failure) -> None:
    decision = decide(
        failure,
        attempts=score.attempts + 1,
        backoff=Backoff(group.backoff_since, group.backoff_count),
        limits=limits(ledger),
        now=ledger.now,
        jitter=random.random(),  # noqa: S311  # spreads retries, guards nothing
    )
    match decision:
        case TakeBack():
            # With its number: what the judge already paid for under it is remembered.
            score.dispatch -= 1
            ledger.score_back_to_new(score, ScoreMoves.TAKE_BACK)
        case SlowDown():
            slow_down(ledger, group, decision)
            ledger.score_back_to_new(score, ScoreMoves.RETRY)
        case TryAgain(at):
            score.attempts += 1
            score.next_attempt_at = at
            ledger.score_back_to_new(score, ScoreMoves.RETRY)
        case FailOne(_, message, _):
            score.attempts += 1
            ledger.score_failed(score, outcome="errored", error=message)
        case FailGroup(_, message):
            ledger.score_failed(score, outcome="errored", error=message)
            fail_group(ledger, group, message)
