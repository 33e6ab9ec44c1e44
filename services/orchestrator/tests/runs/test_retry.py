"""Test the decision after a failed call: try again, slow down, or give up."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_records import NOW

from llmbench.contracts.outcome import (
    Failure,
    Malformed,
    NotStarted,
    RateLimited,
    Refused,
    Rejected,
    TimedOut,
    Unavailable,
    UnavailableCause,
)
from orchestrator.runs.domain.retry import (
    BROKEN_WARM_UP_ATTEMPTS,
    FAULT,
    FIRST_DELAY_S,
    LONGEST_DELAY_S,
    TROUBLE,
    WARM_UP_ATTEMPTS,
    Backoff,
    Decision,
    FailGroup,
    FailOne,
    GoOn,
    LastHeard,
    Limits,
    SlowDown,
    TakeBack,
    TryAgain,
    WaitForCredit,
    decide,
    decide_warm_up,
    delay_s,
)

LIMITS = Limits(max_attempts=3, max_backoff_s=1800)
CALM = Backoff(since=None, count=0)


def rejected(cause: Any, status: int = 400) -> Rejected:
    return Rejected(message="no", http_status=status, cause=cause)


def in_s(seconds: float) -> Any:
    """Return the time that is this number of seconds after NOW."""
    return NOW + timedelta(seconds=seconds)


def decide_call(
    failure: Failure,
    *,
    attempts: int = 1,
    backoff: Backoff = CALM,
    limits: Limits = LIMITS,
    jitter: float = 1,
    failed_before: bool = False,
) -> Decision:
    """Return the decision after a failed call of an item or score."""
    return decide(
        failure,
        attempts=attempts,
        failed_before=failed_before,
        backoff=backoff,
        limits=limits,
        now=NOW,
        jitter=jitter,
    )


def warm_up(
    failure: Failure, *, attempts: int = 1, backoff: Backoff = CALM, limits: Limits = LIMITS, jitter: float = 1
) -> Decision | GoOn:
    """Return the decision after a failed warm-up."""
    return decide_warm_up(failure, attempts=attempts, backoff=backoff, limits=limits, now=NOW, jitter=jitter)


@pytest.mark.parametrize(
    ("failure", "attempts", "decision"),
    [
        (NotStarted(), 1, TakeBack()),
        (TimedOut(message="slow"), 1, TryAgain(in_s(1))),
        (TimedOut(message="slow"), 2, TryAgain(in_s(2))),
        (TimedOut(message="slow"), 3, FailOne("timed_out", "slow", retryable=True)),
        (Malformed(message="?"), 1, TryAgain(in_s(1))),
        (Malformed(message="?"), 3, FailOne("malformed", "?", retryable=True)),
        (Refused(message="no"), 1, FailOne("refused", "no", retryable=True)),
        (rejected("bad_request"), 1, FailOne("rejected", "no", retryable=False)),
        (rejected("context_overflow"), 1, FailOne("rejected", "no", retryable=False)),
        (rejected("unauthorized", 401), 1, FailGroup("rejected", "no")),
        (rejected("not_found", 404), 1, FailGroup("rejected", "no")),
        (RateLimited(message="429"), 1, SlowDown(in_s(1), "429")),
        (RateLimited(message="429", retry_after_s=7.5), 1, SlowDown(in_s(7.5), "429")),
        (RateLimited(message="429", retry_after_s=0), 1, SlowDown(NOW, "429")),
        (RateLimited(message="429", out_of_credit=True), 1, WaitForCredit("429")),
        (Unavailable(message="503"), 1, SlowDown(in_s(1), "503", check=True)),
        (Unavailable(message="503", retry_after_s=90), 1, SlowDown(in_s(90), "503", check=True)),
        (Unavailable(message="529", cause="busy"), 1, SlowDown(in_s(1), "529")),
        (Unavailable(message="500", cause="server_error"), 1, TryAgain(in_s(1), suspect=True)),
        (Unavailable(message="500", cause="server_error", retry_after_s=7), 1, TryAgain(in_s(7), suspect=True)),
        (
            Unavailable(message="500", cause="server_error"),
            3,
            FailOne("unavailable", "500 (attempt 3; the provider answered other requests)", retryable=True),
        ),
    ],
)
def test_decision_after_a_failed_call(failure: Failure, attempts: int, decision: Decision) -> None:
    assert decide_call(failure, attempts=attempts) == decision


@pytest.mark.parametrize(
    ("failure", "attempts", "decision"),
    [
        (NotStarted(), 1, TakeBack()),
        (Unavailable(message="503"), 1, SlowDown(in_s(1), "503", check=True)),
        (Unavailable(message="503"), 99, SlowDown(in_s(1), "503", check=True)),
        (Unavailable(message="loading", retry_after_s=20), 1, SlowDown(in_s(20), "loading", check=True)),
        (Unavailable(message="500", cause="server_error"), 2, SlowDown(in_s(2), "500")),
        (Unavailable(message="500", cause="server_error"), BROKEN_WARM_UP_ATTEMPTS, FailGroup("unavailable", "500")),
        (RateLimited(message="429", out_of_credit=True), 1, WaitForCredit("429")),
        (TimedOut(message="slow"), 1, SlowDown(in_s(1), "slow")),
        (TimedOut(message="slow"), WARM_UP_ATTEMPTS, FailGroup("timed_out", "slow")),
        (Malformed(message="?"), WARM_UP_ATTEMPTS, FailGroup("malformed", "?")),
        (RateLimited(message="429", retry_after_s=3), 9, SlowDown(in_s(3), "429")),
        (Refused(message="no"), 1, GoOn("declined the warm-up: no")),
        (rejected("bad_request"), 1, FailGroup("rejected", "no")),
        (rejected("unauthorized", 401), 1, FailGroup("rejected", "no")),
    ],
)
def test_failed_warm_up_decides_for_its_group(failure: Failure, attempts: int, decision: Decision) -> None:
    assert warm_up(failure, attempts=attempts) == decision


@pytest.mark.parametrize("failure", [RateLimited(message="429", retry_after_s=60), Unavailable(message="503")])
@pytest.mark.parametrize("decides", [decide_call, warm_up])
def test_group_in_trouble_for_the_maximum_backoff_fails(
    failure: Failure, decides: Callable[..., Decision | GoOn]
) -> None:
    decision = decides(failure, backoff=Backoff(since=in_s(-1800), count=40))
    assert isinstance(decision, FailGroup)
    assert decision.message.endswith("(waited 1800 s in vain)")


@pytest.mark.parametrize("cause", get_args(UnavailableCause))
@pytest.mark.parametrize("heard", LastHeard)
def test_every_cause_after_every_earlier_report_has_a_decision(cause: UnavailableCause, heard: LastHeard) -> None:
    assert (TROUBLE[cause], heard) in FAULT


@pytest.mark.parametrize(
    ("cause", "heard", "failed_before", "is_own"),
    [
        ("server_error", LastHeard.ANSWER, False, True),
        ("server_error", LastHeard.ITSELF, True, True),
        ("server_error", LastHeard.ANOTHER, True, False),
        ("not_ready", LastHeard.ANSWER, False, False),
        ("not_ready", LastHeard.ANSWER, True, True),
        ("not_ready", LastHeard.ITSELF, True, False),
        ("busy", LastHeard.ANSWER, True, False),
    ],
)
def test_request_that_fails_while_others_succeed_uses_its_own_attempts(
    cause: UnavailableCause, heard: LastHeard, failed_before: bool, is_own: bool
) -> None:
    failure = Unavailable(message="5xx", cause=cause)
    decision = decide_call(failure, backoff=Backoff(None, 0, heard), failed_before=failed_before)
    assert isinstance(decision, TryAgain if is_own else SlowDown)


@pytest.mark.parametrize(
    ("heard", "alone", "check"),
    [(LastHeard.ANSWER, False, False), (LastHeard.ANSWER, True, True), (LastHeard.ITSELF, False, True)],
)
def test_warm_up_is_repeated_if_no_other_request_can_show_the_fault(heard: LastHeard, alone: bool, check: bool) -> None:
    decision = decide_call(Unavailable(message="500", cause="server_error"), backoff=Backoff(None, 0, heard, alone))
    assert isinstance(decision, TryAgain)
    assert decision.check == check


@pytest.mark.parametrize(
    "failure", [Unavailable(message="500", cause="server_error"), TimedOut(message="slow"), Malformed(message="?")]
)
def test_model_that_has_answered_before_is_waited_for_longer_than_a_new_one(failure: Failure) -> None:
    checked = warm_up(failure, attempts=99, backoff=Backoff(in_s(-60), 5, LastHeard.ANOTHER))
    assert isinstance(checked, SlowDown)
    assert isinstance(warm_up(failure, attempts=99), FailGroup)


def test_retry_after_is_limited_to_the_remaining_backoff() -> None:
    asks = RateLimited(message="429", retry_after_s=86_400)
    assert decide_call(asks) == SlowDown(in_s(1800), "429")
    assert decide_call(asks, backoff=Backoff(since=in_s(-1700), count=9)) == SlowDown(in_s(100), "429")


@pytest.mark.parametrize("asked", [float("inf"), float("nan"), -5.0, 1e300])
def test_invalid_retry_after_is_ignored_or_limited(asked: float) -> None:
    for failure in (
        RateLimited(message="429", retry_after_s=asked),
        Unavailable(message="503", retry_after_s=asked),
    ):
        for decision in (decide_call(failure), warm_up(failure)):
            assert isinstance(decision, SlowDown)
            assert NOW <= decision.until <= in_s(LIMITS.max_backoff_s)


@given(count=st.integers(0, 10_000), jitter=st.floats(0, 1))
def test_delay_is_positive_and_limited(count: int, jitter: float) -> None:
    assert 0.5 * FIRST_DELAY_S <= delay_s(count, jitter) <= LONGEST_DELAY_S


@given(count=st.integers(0, 100), jitter=st.floats(0, 1))
def test_delay_does_not_shrink_with_the_count(count: int, jitter: float) -> None:
    assert delay_s(count, jitter) <= delay_s(count + 1, jitter)


text = st.text(max_size=20)
seconds = st.one_of(st.none(), st.floats())
FAILURES = st.one_of(
    st.builds(NotStarted),
    st.builds(TimedOut, message=text),
    st.builds(Malformed, message=text),
    st.builds(Refused, message=text),
    st.builds(RateLimited, message=text, retry_after_s=seconds, out_of_credit=st.booleans()),
    st.builds(Unavailable, message=text, retry_after_s=seconds, cause=st.sampled_from(get_args(UnavailableCause))),
    st.builds(
        Rejected,
        message=text,
        http_status=st.integers(400, 499),
        cause=st.sampled_from(("unauthorized", "not_found", "context_overflow", "bad_request")),
    ),
)
BACKOFFS = st.builds(
    Backoff,
    since=st.one_of(st.none(), st.floats(0, 100_000).map(lambda s: in_s(-s))),
    count=st.integers(0, 1000),
    last_heard=st.sampled_from(LastHeard),
    alone=st.booleans(),
)
ALL_LIMITS = st.builds(Limits, max_attempts=st.integers(1, 10), max_backoff_s=st.floats(1, 86_400))


@given(failure=FAILURES, attempts=st.integers(1, 12), backoff=BACKOFFS, limits=ALL_LIMITS, jitter=st.floats(0, 1))
def test_every_failure_is_retried_within_the_limits_only(
    failure: Failure, attempts: int, backoff: Backoff, limits: Limits, jitter: float
) -> None:
    decision = decide_call(failure, attempts=attempts, backoff=backoff, limits=limits, jitter=jitter)
    match decision:
        case TryAgain(at, suspect, check):
            assert isinstance(failure, Unavailable if suspect else TimedOut | Malformed)
            assert suspect or not check
            assert attempts < limits.max_attempts
            assert NOW <= at <= in_s(max(LONGEST_DELAY_S, limits.max_backoff_s))
        case SlowDown(until):
            assert isinstance(failure, RateLimited | Unavailable)
            patience_ends = (backoff.since or NOW) + timedelta(seconds=limits.max_backoff_s)
            assert NOW <= until <= patience_ends + timedelta(milliseconds=1)
            asked = failure.retry_after_s
            if asked is not None and 0 <= asked <= (patience_ends - NOW).total_seconds() - 0.001:
                assert abs((until - NOW).total_seconds() - asked) < 0.001
        case WaitForCredit():
            assert isinstance(failure, RateLimited)
            assert failure.out_of_credit
        case TakeBack():
            assert isinstance(failure, NotStarted)
        case FailOne() | FailGroup():
            assert not isinstance(failure, NotStarted)


@given(failure=FAILURES, attempts=st.integers(1, 12), backoff=BACKOFFS, limits=ALL_LIMITS, jitter=st.floats(0, 1))
def test_every_decision_after_a_failed_warm_up_is_within_the_limits(
    failure: Failure, attempts: int, backoff: Backoff, limits: Limits, jitter: float
) -> None:
    decision = warm_up(failure, attempts=attempts, backoff=backoff, limits=limits, jitter=jitter)
    assert isinstance(decision, TakeBack | SlowDown | FailGroup | GoOn | WaitForCredit)
    if isinstance(decision, SlowDown):
        assert NOW <= decision.until <= in_s(limits.max_backoff_s + 0.001)


@given(attempts=st.integers(1, 12), backoff=BACKOFFS, limits=ALL_LIMITS)
def test_decision_about_a_providers_trouble_does_not_depend_on_attempts(
    attempts: int, backoff: Backoff, limits: Limits
) -> None:
    failure = RateLimited(message="429")
    assert decide_call(failure, attempts=attempts, backoff=backoff, limits=limits) == decide_call(
        failure, attempts=1, backoff=backoff, limits=limits
    )
