"""Decide what follows from a failed call: for instance, the call is repeated, or its model group waits or fails.

When the provider is in trouble, the entire group waits, for at most `max_backoff_s`, and no attempt is used up. An
overloaded server or a rate limit is always the provider's trouble.

A failed request uses up one of its own attempts, and the group continues, in these cases (see `FAULT`):

- The request times out, or gets an unusable response.
- The server fails on the request, but not on other requests.
- The request repeatedly does not reach the server, but other requests are answered.

A wrong key or an unknown model fails the group at once, so that five hundred items need not fail one by one. A group
whose account has no credit waits for the user.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

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

FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0
WARM_UP_ATTEMPTS = 3
BROKEN_WARM_UP_ATTEMPTS = 7
"""The maximum number of attempts for a group's first warm-up if the server accepts it and fails on it
(`Trouble.BROKEN`). They take half a minute to a minute. Then the group fails."""


@dataclass(frozen=True)
class TakeBack:
    """Put the item, score or warm-up back, as if it had not been sent, because the gateway made no call. No attempt is
    used up."""


@dataclass(frozen=True)
class TryAgain:
    """Try again at the time `at` or later; this uses up an attempt.

    With `suspect`, it is noted that this request failed. If a different request is the next to fail, and none was
    answered in between, the provider counts as in trouble. With `check`, a warm-up first tests whether the model
    answers.
    """

    at: datetime
    suspect: bool = False
    check: bool = False


@dataclass(frozen=True)
class SlowDown:
    """Let the entire model group wait until `until`; no attempt is used up.

    With `check`, a warm-up then tests whether the model answers, and the failed request is sent after those that have
    not failed.
    """

    until: datetime
    reason: str
    check: bool = False


@dataclass(frozen=True)
class FailOne:
    """Fail the item or score whose call failed; its model group continues."""

    kind: str
    message: str
    retryable: bool


@dataclass(frozen=True)
class FailGroup:
    """Fail the item, score or warm-up whose call failed, and all remaining work of its model group, for the same
    reason."""

    kind: str
    message: str


@dataclass(frozen=True)
class WaitForCredit:
    """Let the model group wait for the user, while other groups continue; no attempt is used up."""

    reason: str


@dataclass(frozen=True)
class GoOn:
    """Begin or continue the group's work: the model declined the warm-up, so it exists and responds."""

    note: str


Decision = TakeBack | TryAgain | SlowDown | FailOne | FailGroup | WaitForCredit


class LastHeard(Enum):
    """The last report that the group's provider gave before the failed call: an answer, or a failure of the same or
    another request."""

    ANSWER = "answer"
    ITSELF = "itself"
    """The same request had failed, and no answer came since."""
    ANOTHER = "another"
    """A different request had failed, and no answer came since."""


class Fault(Enum):
    PROVIDERS = "the provider's trouble"
    OWN = "the request's own fault"
    OWN_WHEN_REPEATED = "the provider's trouble when the request failed for the first time, else its own fault"


class Trouble(Enum):
    AWAY = "the server cannot be reached"
    BUSY = "the server is overloaded"
    BROKEN = "the server accepted the request and failed on it"


TROUBLE: Mapping[UnavailableCause | None, Trouble] = {
    None: Trouble.AWAY,
    "no_connection": Trouble.AWAY,
    "not_ready": Trouble.AWAY,
    "busy": Trouble.BUSY,
    "server_error": Trouble.BROKEN,
    "connection_lost": Trouble.BROKEN,
}

FAULT: Mapping[tuple[Trouble, LastHeard], Fault] = {
    (Trouble.BROKEN, LastHeard.ANSWER): Fault.OWN,
    (Trouble.BROKEN, LastHeard.ITSELF): Fault.OWN,
    (Trouble.BROKEN, LastHeard.ANOTHER): Fault.PROVIDERS,
    # An unreachable provider fails every request. A request is at fault itself only if it fails repeatedly while others
    # are answered.
    (Trouble.AWAY, LastHeard.ANSWER): Fault.OWN_WHEN_REPEATED,
    (Trouble.AWAY, LastHeard.ITSELF): Fault.PROVIDERS,
    (Trouble.AWAY, LastHeard.ANOTHER): Fault.PROVIDERS,
    # An overloaded server fails requests at random.
    (Trouble.BUSY, LastHeard.ANSWER): Fault.PROVIDERS,
    (Trouble.BUSY, LastHeard.ITSELF): Fault.PROVIDERS,
    (Trouble.BUSY, LastHeard.ANOTHER): Fault.PROVIDERS,
}


@dataclass(frozen=True)
class Backoff:
    """The back-off state of a group when a call has failed.

    `since` is the time of the first failure after the last answered item or score; null if none failed. `count` is the
    number of back-offs after the last answered call, warm-ups included.
    """

    since: datetime | None
    count: int
    last_heard: LastHeard = LastHeard.ANSWER
    alone: bool = False
    """True if the group has no other item or score to send or in flight."""


@dataclass(frozen=True)
class Limits:
    max_attempts: int
    max_backoff_s: float


def delay_s(count: int, jitter: float) -> float:
    """Return an exponential delay in seconds: `FIRST_DELAY_S`, doubled `count` times, but at most `LONGEST_DELAY_S`.
    With `jitter` 0, only half of it is returned, with `jitter` 1 all of it."""
    bound = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** min(count, 16))
    return bound * (0.5 + 0.5 * jitter)


def _wait_s(failure: RateLimited | Unavailable | TimedOut | Malformed, count: int, jitter: float) -> float:
    """Return the delay in seconds that the provider requests. If it requests none, return the exponential delay
    `delay_s(count, jitter)`."""
    requested_s = failure.retry_after_s if isinstance(failure, RateLimited | Unavailable) else None
    return delay_s(count, jitter) if requested_s is None else max(0.0, requested_s)


def _spend_attempt(
    failure: Unavailable, attempts: int, *, backoff: Backoff, limits: Limits, now: datetime, jitter: float
) -> TryAgain | FailOne:
    if attempts >= limits.max_attempts:
        message = f"{failure.message} (attempt {attempts}; the provider answered other requests)"
        return FailOne(failure.kind, message, retryable=True)
    wait_s = min(_wait_s(failure, attempts - 1, jitter), limits.max_backoff_s)
    check = backoff.alone or backoff.last_heard is LastHeard.ITSELF
    return TryAgain(now + timedelta(seconds=wait_s), suspect=True, check=check)


def _is_own_fault(failure: Unavailable, last_heard: LastHeard, *, failed_before: bool) -> bool:
    fault = FAULT[TROUBLE[failure.cause], last_heard]
    return fault is Fault.OWN or (fault is Fault.OWN_WHEN_REPEATED and failed_before)


def _wait_out(
    failure: RateLimited | Unavailable | TimedOut | Malformed,
    *,
    backoff: Backoff,
    limits: Limits,
    now: datetime,
    jitter: float,
) -> SlowDown | FailGroup:
    in_trouble_s = (now - (backoff.since or now)).total_seconds()
    if in_trouble_s >= limits.max_backoff_s:
        return FailGroup(failure.kind, f"{failure.message} (waited {round(in_trouble_s)} s in vain)")
    # If the provider requests a longer wait than `max_backoff_s` leaves, wait for the remaining time and try once more.
    wait_s = min(_wait_s(failure, backoff.count, jitter), limits.max_backoff_s - in_trouble_s)
    check = isinstance(failure, Unavailable) and failure.cause != "busy"
    return SlowDown(now + timedelta(seconds=wait_s), failure.message, check=check)


def decide(
    failure: Failure,
    *,
    attempts: int,
    failed_before: bool = False,
    backoff: Backoff,
    limits: Limits,
    now: datetime,
    jitter: float,
) -> Decision:
    """Decide what follows from a failed call of an item or a score.

    `attempts` is the number of attempts so far, including the failed one. `failed_before` is true if an earlier call of
    the same item or score failed and was scheduled again. `jitter` is a random number from 0 to 1 (see `delay_s`).
    """
    match failure:
        case NotStarted():
            return TakeBack()
        case RateLimited(out_of_credit=True):
            return WaitForCredit(failure.message)
        case Unavailable() if _is_own_fault(failure, backoff.last_heard, failed_before=failed_before):
            return _spend_attempt(failure, attempts, backoff=backoff, limits=limits, now=now, jitter=jitter)
        case RateLimited() | Unavailable():
            return _wait_out(failure, backoff=backoff, limits=limits, now=now, jitter=jitter)
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
) -> TakeBack | SlowDown | FailGroup | GoOn | WaitForCredit:
    """Decide what follows from a failed warm-up. The decision holds for the entire group. `attempts` includes the
    failed one.

    An error that waiting cannot remove, such as a wrong key, fails the group, so that the next group can proceed. While
    a model is being loaded, or its server is overloaded or out of reach, the group waits for up to `max_backoff_s`.

    A first warm-up that times out, or on which the server fails, is repeated a few times only. A later warm-up, which
    checks the model after failed requests, is repeated for up to `max_backoff_s`. A model that declines the warm-up
    exists, and may still answer the cases.
    """
    match failure:
        case NotStarted():
            return TakeBack()
        case Refused():
            return GoOn(f"declined the warm-up: {failure.message}")
        case RateLimited(out_of_credit=True):
            return WaitForCredit(failure.message)
        case Rejected():
            return FailGroup(failure.kind, failure.message)
        case TimedOut() | Malformed() | Unavailable(cause="server_error" | "connection_lost") if (
            backoff.last_heard is LastHeard.ANSWER
        ):
            return _a_few_tries(failure, attempts, limits, now, jitter)
        case _:
            return _wait_out(failure, backoff=backoff, limits=limits, now=now, jitter=jitter)


def _a_few_tries(
    failure: Unavailable | TimedOut | Malformed, attempts: int, limits: Limits, now: datetime, jitter: float
) -> SlowDown | FailGroup:
    most = BROKEN_WARM_UP_ATTEMPTS if isinstance(failure, Unavailable) else WARM_UP_ATTEMPTS
    if attempts >= most:
        return FailGroup(failure.kind, failure.message)
    wait_s = min(_wait_s(failure, attempts - 1, jitter), limits.max_backoff_s)
    return SlowDown(now + timedelta(seconds=wait_s), failure.message)
