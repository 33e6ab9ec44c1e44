"""Test the decision whether a schedule fires, and the computation of its next due time."""

from dataclasses import replace
from datetime import timedelta

import pytest
from wound_clock import utc

from llmbench.contracts.schedule_words import FiringStatus
from llmbench.ids import new_id
from orchestrator.schedules.domain.firing import (
    CLOCK_TOLERANCE,
    MOST_MISSED,
    Decision,
    DueFiring,
    Timing,
    decide,
    due_firing_id,
    retry_at,
)

DUE = utc("2026-11-24 02:00")
NEXT = utc("2026-11-25 02:00")
NIGHTLY = Timing(
    schedule_id=new_id(),
    cron="0 2 * * *",
    time_zone="UTC",
    skip_if_running=True,
    next_due_at=DUE,
    decided_at=utc("2026-11-23 02:00"),
    going=None,
)


def fired(status: FiringStatus = FiringStatus.STARTING, missed: int = 0, reason: str | None = None) -> DueFiring:
    return DueFiring(due_firing_id(NIGHTLY.schedule_id, DUE), DUE, missed, status, reason)


def test_schedule_does_nothing_before_its_time_or_while_it_has_none() -> None:
    assert decide(NIGHTLY, DUE - timedelta(microseconds=1)) is None
    assert decide(replace(NIGHTLY, next_due_at=None), NEXT) is None


@pytest.mark.parametrize("late", [timedelta(0), timedelta(seconds=14), timedelta(hours=23)])
def test_due_schedule_fires_and_is_due_the_next_night(late: timedelta) -> None:
    assert decide(NIGHTLY, DUE + late) == Decision(fired(), NEXT)


def test_missed_times_fire_once_together() -> None:
    assert decide(NIGHTLY, DUE + timedelta(days=3, hours=1)) == Decision(fired(missed=3), utc("2026-11-28 02:00"))


def test_missed_times_are_counted_up_to_a_limit() -> None:
    every_minute = replace(NIGHTLY, cron="* * * * *")
    decision = decide(every_minute, DUE + timedelta(days=400))
    assert decision == Decision(fired(missed=MOST_MISSED), DUE + timedelta(days=400, minutes=1))


def test_schedule_whose_last_run_is_going_skips_unless_it_may_overlap() -> None:
    going = replace(NIGHTLY, going="the last run was still RUNNING")
    skipped = fired(FiringStatus.SKIPPED, reason="the last run was still RUNNING")
    assert decide(going, DUE) == Decision(skipped, NEXT)
    assert decide(replace(going, skip_if_running=False), DUE) == Decision(fired(), NEXT)


def test_clock_that_was_set_back_makes_the_next_time_be_computed_again() -> None:
    # The clock showed 2028 for a while, so the next time lies there.
    lost = replace(NIGHTLY, next_due_at=utc("2028-01-02 02:00"), decided_at=utc("2028-01-01 12:00"))
    assert decide(lost, utc("2026-11-24 12:00")) == Decision(None, NEXT)


def test_clocks_of_two_machines_may_differ_a_little() -> None:
    ahead = replace(NIGHTLY, next_due_at=NEXT, decided_at=DUE)
    assert decide(ahead, DUE - CLOCK_TOLERANCE) is None


def test_expression_that_became_unusable_fails_once_and_is_not_due_again() -> None:
    decision = decide(replace(NIGHTLY, time_zone="Europe/Gone"), DUE)
    assert decision is not None
    assert decision.next_due_at is None
    assert decision.firing is not None
    assert decision.firing.status is FiringStatus.FAILED
    assert "IANA" in (decision.firing.reason or "")


def test_attempts_come_at_growing_intervals_and_end_after_an_hour() -> None:
    waits = [retry_at(attempts, fired_at=DUE, now=DUE) for attempts in (1, 2, 3, 5, 2_000)]
    assert [(moment - DUE).total_seconds() for moment in waits if moment] == [5, 10, 20, 60, 60]
    assert retry_at(1, fired_at=DUE, now=DUE + timedelta(hours=1)) is None
