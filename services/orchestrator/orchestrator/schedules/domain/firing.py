"""Decide whether a schedule fires now, and when it is due next."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from uuid import UUID, uuid5

from llmbench.contracts.schedule_words import FiringStatus
from orchestrator.schedules.domain.cron import BadCron, next_after, times_after

MOST_MISSED = 100
"""Missed due times are counted up to this number only."""
CLOCK_TOLERANCE = timedelta(minutes=1)
"""The clocks of two orchestrators may differ by this much. A greater difference means that the clock was set back."""
_FIRST_RETRY_S = 5.0
_LONGEST_RETRY_S = 60.0
GIVE_UP_AFTER = timedelta(hours=1)


@dataclass(frozen=True)
class Timing:
    """The state of a schedule that decides about its next firing. `going` is the reason why the last run is not over.
    It is `None` if that run is over, or if there is no run."""

    schedule_id: UUID
    cron: str
    time_zone: str
    skip_if_running: bool
    next_due_at: datetime | None
    decided_at: datetime
    going: str | None


@dataclass(frozen=True)
class DueFiring:
    id: UUID
    due_at: datetime
    missed: int
    status: FiringStatus
    reason: str | None


@dataclass(frozen=True)
class Decision:
    """The actions of a due schedule: its firing, if there is one, and the time at which it is due next."""

    firing: DueFiring | None
    next_due_at: datetime | None


def decide(timing: Timing, now: datetime) -> Decision | None:
    """Return the next actions of the schedule; `None` if it is not due.

    Several missed due times, for instance during an outage, cause a single firing. If the clock was set back, the next
    due time is computed again, and nothing fires.
    """
    if timing.next_due_at is None:
        return None
    if now < timing.decided_at - CLOCK_TOLERANCE:
        return Decision(None, _next(timing, now))
    if now < timing.next_due_at:
        return None
    due_at = timing.next_due_at
    try:
        later = takewhile(lambda time: time <= now, times_after(timing.cron, timing.time_zone, due_at))
        missed = sum(1 for _, _ in zip(range(MOST_MISSED), later, strict=False))
        next_due_at = next_after(timing.cron, timing.time_zone, now)
    except BadCron as error:
        # The expression was valid when it was saved. The rules of the time zone or of the library have changed since.
        return Decision(_firing(timing, due_at, 0, FiringStatus.FAILED, f"{error.field} {error}"), None)
    if timing.going is not None and timing.skip_if_running:
        return Decision(_firing(timing, due_at, missed, FiringStatus.SKIPPED, timing.going), next_due_at)
    return Decision(_firing(timing, due_at, missed, FiringStatus.STARTING, None), next_due_at)


def due_firing_id(schedule_id: UUID, due_at: datetime) -> UUID:
    """Return the id of the firing at a due time. All orchestrators compute the same id, so a due time causes only one
    firing."""
    return uuid5(schedule_id, f"due {due_at.timestamp():.0f}")


def requested_firing_id(schedule_id: UUID, key: str) -> UUID:
    """Return the id of the firing that a user requested with this idempotency key."""
    return uuid5(schedule_id, f"requested {key}")


def retry_at(attempts: int, *, fired_at: datetime, now: datetime) -> datetime | None:
    """Return when to try again to create the run of a firing, after `attempts` failed attempts. They failed because a
    service was out of reach. Return `None` if the firing is more than an hour old."""
    if now - fired_at >= GIVE_UP_AFTER:
        return None
    # Limit the exponent, because the number of attempts has no limit if the clock is set back.
    return now + timedelta(seconds=min(_LONGEST_RETRY_S, _FIRST_RETRY_S * 2 ** min(attempts - 1, 10)))


def _next(timing: Timing, now: datetime) -> datetime | None:
    try:
        return next_after(timing.cron, timing.time_zone, now)
    except BadCron:
        return timing.next_due_at


def _firing(timing: Timing, due_at: datetime, missed: int, status: FiringStatus, reason: str | None) -> DueFiring:
    return DueFiring(due_firing_id(timing.schedule_id, due_at), due_at, missed, status, reason)
