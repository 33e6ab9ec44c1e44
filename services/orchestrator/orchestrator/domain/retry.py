"""What follows from a call that did not answer: try again, slow down, or give up.

Rate limits and unavailability are the provider's trouble: they slow the whole group down and use
up no attempt, until `max_backoff_s`. A wrong key or an unknown model fails the group at once:
five hundred items need not find out one by one.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from llmbench.contracts.outcome import (
    Failure,
    Malformed,
    NotStarted,
    RateLimited,
    Refused,
    Rejected,
    TimedOut,
    Unavailable,
)

FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0
WARM_UP_ATTEMPTS = 3


@dataclass(frozen=True)
class TakeBack:
    """No call was made: as if it had never been dispatched."""


@dataclass(frozen=True)
class TryAgain:
    """Uses up an attempt; not before `at`."""

    at: datetime


@dataclass(frozen=True)
class SlowDown:
    """The whole group waits until `until`; no attempt is used up."""

    until: datetime
    reason: str


@dataclass(frozen=True)
class FailOne:
    """This item or score fails; the group goes on."""

    kind: str
    message: str
    retryable: bool


@dataclass(frozen=True)
class FailGroup:
    """All that is left of the group fails, for the same reason."""

    kind: str
    message: str


@dataclass(frozen=True)
class GoOn:
    """The model is there: its work is sent."""

    note: str


Decision = TakeBack | TryAgain | SlowDown | FailOne | FailGroup


@dataclass(frozen=True)
class Backoff:
    """How long a group has been in trouble: `since` the first failure without a success."""

    since: datetime | None
    count: int


@dataclass(frozen=True)
class Limits:
    max_attempts: int
    max_backoff_s: float


def delay_s(count: int, jitter: float) -> float:
    """Exponential with full jitter on its upper half; `count` from 0, `jitter` in 0…1."""
    bound = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** min(count, 16))
    return bound * (0.5 + 0.5 * jitter)


def _wait_s(failure: RateLimited | Unavailable | TimedOut | Malformed, count: int, jitter: float) -> float:
    """What the provider asks for, else our own delay."""
    asked = failure.retry_after_s if isinstance(failure, RateLimited | Unavailable) else None
    return delay_s(count, jitter) if asked is None else max(0.0, asked)


def decide(
    failure: Failure, *, attempts: int, backoff: Backoff, limits: Limits, now: datetime, jitter: float
) -> Decision:
    """`attempts` counts those used up, this one included."""
    match failure:
        case NotStarted():
            return TakeBack()
        case RateLimited() | Unavailable():
            in_trouble_s = (now - (backoff.since or now)).total_seconds()
            if in_trouble_s >= limits.max_backoff_s:
                return FailGroup(failure.kind, f"{failure.message} (waited {round(in_trouble_s)} s in vain)")
            # Who asks for more patience than there is left gets what is left, and then the last try.
            wait_s = min(_wait_s(failure, backoff.count, jitter), limits.max_backoff_s - in_trouble_s)
            return SlowDown(now + timedelta(seconds=wait_s), failure.message)
        case Rejected(cause="unauthorized" | "not_found"):
            return FailGroup(failure.kind, failure.message)
        case Refused() | Rejected():
            return FailOne(failure.kind, failure.message, retryable=isinstance(failure, Refused))
        case TimedOut() | Malformed():
            if attempts >= limits.max_attempts:
                return FailOne(failure.kind, failure.message, retryable=True)
            return TryAgain(now + timedelta(seconds=delay_s(attempts - 1, jitter)))


def decide_warm_up(
    failure: Failure, *, attempts: int, backoff: Backoff, limits: Limits, now: datetime, jitter: float
) -> TakeBack | SlowDown | FailGroup | GoOn:
    """A warm-up stands for its group: what cannot be waited out fails the group, so that the next
    one goes on. An unreachable provider gets a few tries and not half an hour. Who declines to answer is there: whether
    it declines the cases too, each of them has to ask."""
    if isinstance(failure, Refused):
        return GoOn(f"declined the warm-up: {failure.message}")
    if isinstance(failure, Unavailable | TimedOut | Malformed):
        if attempts >= WARM_UP_ATTEMPTS:
            return FailGroup(failure.kind, failure.message)
        wait_s = min(_wait_s(failure, attempts - 1, jitter), limits.max_backoff_s)
        return SlowDown(now + timedelta(seconds=wait_s), failure.message)
    decision = decide(failure, attempts=attempts, backoff=backoff, limits=limits, now=now, jitter=jitter)
    if isinstance(decision, FailOne):
        return FailGroup(decision.kind, decision.message)
    assert not isinstance(decision, TryAgain), "what timed out or is malformed is waited out above"
    return decision
