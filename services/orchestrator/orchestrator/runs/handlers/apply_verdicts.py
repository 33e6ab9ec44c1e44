"""Apply the judge service's reports: store a score, or the reason why none was given."""

import random
from collections.abc import Sequence

from llmbench.contracts.answer_scored import AnswerScored, Errored, JudgeRefused, Scored, Unparsed
from llmbench.contracts.outcome import Failure, NotStarted, cause_of
from llmbench.contracts.run_logged import LogKind
from llmbench.contracts.run_words import ScoreStatus
from llmbench.thresholds import reaches
from orchestrator.kernel.domain.records import Group, Score
from orchestrator.kernel.domain.transitions import SCORE, ScoreMoves, allows
from orchestrator.runs.domain.retry import FailGroup, FailOne, SlowDown, TakeBack, TryAgain, WaitForCredit, decide
from orchestrator.runs.handlers.fail_group import fail_group
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.settle_items import settle_items
from orchestrator.runs.handlers.trouble import backoff_of, limits, recover, slow_down, suspect, wait_for_credit
from orchestrator.runs.ports.transaction import RunRecords


async def apply_verdicts(ledger: Ledger[RunRecords], events: Sequence[AnswerScored]) -> None:
    """Update the scores from the judge service's reports, and then the states of their items.

    A score takes a result while it is NEW or IN_PROGRESS, even if the score was sent again since. A report without a
    result counts only if the score is IN_PROGRESS and was not sent again since. Any other report is ignored.
    """
    loaded = await ledger.transaction.scores([event.score_id for event in events])
    items = await ledger.transaction.items([score.item_id for score in loaded.values()])
    changed: list[Score] = []
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
        changed.append(score)
    await settle_items(ledger, [score.item_id for score in changed])


def _take_verdict(ledger: Ledger[RunRecords], score: Score, verdict: Scored, event: AnswerScored) -> None:
    if score.status == ScoreStatus.IN_PROGRESS:
        score.attempts += 1
    score.outcome = "scored"
    score.raw, score.normalised = verdict.raw, verdict.normalised
    score.passed = verdict.passed if score.pass_threshold is None else reaches(verdict.raw, score.pass_threshold)
    score.reason, score.details, score.error = verdict.reason, dict(verdict.details), None
    score.error_cause = None
    score.call_ids = list(event.call_ids)
    _spend_on(ledger, score, event)
    recover(ledger.groups[score.group_id])
    ledger.score_done(score)


def _take_no_verdict(
    ledger: Ledger[RunRecords], score: Score, verdict: Unparsed | JudgeRefused | Errored, event: AnswerScored
) -> None:
    group = ledger.groups[score.group_id]
    score.call_ids = list(event.call_ids)
    if not (isinstance(verdict, Errored) and isinstance(verdict.failure, NotStarted)):
        # Skip a judging that was not started: it is repeated with the same dispatch number, and reports its cost then.
        _spend_on(ledger, score, event)
    match verdict:
        case Unparsed(problem=problem, raw_text=raw_text, replies=replies):
            # An unparsed verdict is final: the judge has already had one attempt to repair its reply. Another call
            # would double the cost, and favour answers that a careless judge happens to score.
            score.attempts += 1
            score.details = {"raw_text": raw_text} | ({"replies": replies.model_dump()} if replies else {})
            ledger.note(f"verdict not understood ({score.slot}): {problem}", "warning", group, score.item_id)
            ledger.score_failed(score, outcome="unparsed", error=problem, cause="unparsed")
        case JudgeRefused(message=message, cause=cause):
            score.attempts += 1
            ledger.score_failed(score, outcome="refused", error=message, cause=cause)
        case Errored(failure=failure):
            _take_failure(ledger, group, score, failure)


def _spend_on(ledger: Ledger[RunRecords], score: Score, event: AnswerScored) -> None:
    if event.cost_usd is not None:
        score.cost_usd = (score.cost_usd or 0.0) + event.cost_usd
    ledger.spend(event.cost_usd or 0.0, unpriced_calls=event.unpriced_calls)


def _take_failure(ledger: Ledger[RunRecords], group: Group, score: Score, failure: Failure) -> None:
    decision = decide(
        failure,
        attempts=score.attempts + 1,
        failed_before=score.next_attempt_at is not None,
        backoff=backoff_of(group, score.id),
        limits=limits(ledger),
        now=ledger.now,
        jitter=random.random(),  # noqa: S311  # jitter needs no cryptography
    )
    match decision:
        case TakeBack():
            # Undo the dispatch number, too. The next claim then has the same call ids, and the gateway returns answers
            # that are already paid for.
            score.dispatch -= 1
            ledger.score_back_to_new(score, ScoreMoves.TAKE_BACK)
        case SlowDown():
            slow_down(ledger, group, decision, score.id)
            score.next_attempt_at = decision.until if decision.check else score.next_attempt_at
            ledger.score_back_to_new(score, ScoreMoves.RETRY)
        case WaitForCredit():
            wait_for_credit(ledger, group, decision)
            ledger.score_back_to_new(score, ScoreMoves.RETRY)
        case TryAgain():
            suspect(group, decision, score.id)
            score.attempts += 1
            score.next_attempt_at = decision.at
            ledger.score_back_to_new(score, ScoreMoves.RETRY)
        case FailOne(_, message, _):
            score.attempts += 1
            ledger.score_failed(score, outcome="errored", error=message, cause=cause_of(failure))
        case FailGroup(_, message):
            ledger.score_failed(score, outcome="errored", error=message, cause=cause_of(failure))
            fail_group(ledger, group, message, cause=cause_of(failure))
