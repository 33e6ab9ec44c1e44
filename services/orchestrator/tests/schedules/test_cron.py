"""Test at which times a cron expression is due in a time zone, also when daylight saving time begins or ends."""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wound_clock import utc

from orchestrator.schedules.domain.cron import BadCron, next_after, times_after

BERLIN = "Europe/Berlin"


def local(cron: str, time_zone: str, after: str, count: int) -> list[str]:
    """Return the next times in the time zone, as texts with their offset."""
    zone = ZoneInfo(time_zone)
    times = islice(times_after(cron, time_zone, utc(after)), count)
    return [moment.astimezone(zone).strftime("%d %H:%M %z") for moment in times]


def test_nightly_expression_is_due_at_the_same_local_time_on_both_sides_of_a_clock_change() -> None:
    assert local("0 2 * * *", "America/New_York", "2026-10-30 12:00", 4) == [
        "31 02:00 -0400",
        "01 02:00 -0500",
        "02 02:00 -0500",
        "03 02:00 -0500",
    ]


def test_time_that_is_left_out_in_spring_is_due_right_after_the_gap() -> None:
    # In Berlin, 02:00 to 03:00 does not exist on 28 March 2027.
    assert local("30 2 * * *", BERLIN, "2027-03-27 12:00", 2) == ["28 03:00 +0200", "29 02:30 +0200"]


def test_time_that_is_repeated_in_autumn_is_due_once_at_the_first_of_both() -> None:
    # In Berlin, 02:00 to 03:00 comes twice on 25 October 2026.
    assert local("30 2 * * *", BERLIN, "2026-10-24 12:00", 2) == ["25 02:30 +0200", "26 02:30 +0100"]


def test_repeated_time_is_not_due_again_after_the_first_of_both() -> None:
    # 01:10 UTC is the second 02:10; the first 02:30 was 40 minutes ago.
    assert local("30 2 * * *", BERLIN, "2026-10-25 01:10", 1) == ["26 02:30 +0100"]


def test_expression_for_every_hour_follows_the_real_time_through_both_changes() -> None:
    assert local("0 * * * *", BERLIN, "2026-10-24 23:30", 3) == ["25 02:00 +0200", "25 02:00 +0100", "25 03:00 +0100"]
    assert local("0 * * * *", BERLIN, "2027-03-28 00:30", 2) == ["28 03:00 +0200", "28 04:00 +0200"]


def test_expression_in_utc_knows_no_clock_change() -> None:
    assert local("30 2 * * *", "UTC", "2026-10-24 12:00", 2) == ["25 02:30 +0000", "26 02:30 +0000"]


@pytest.mark.parametrize(
    ("cron", "message"),
    [
        ("0 0 30 2 *", "is never due"),
        ("0 0 31 4,6 *", "is never due"),
        ("0 0 32 2 *", "bad day-of-month"),
        ("0 0 30 13 *", "bad month"),
        ("0 0 */29 2 MON#5", "is never due"),
        ("* * * *", "has 4 fields"),
        ("0 0 0 * * *", "has 6 fields"),
        ("@daily", "has 1 field:"),
        ("61 * * * *", "bad minute"),
        ("0 0 * * FUN", "day-of-week"),
        ("0 0 ²L * *", "day-of-month"),
        ("", "has 0 fields"),
    ],
)
def test_expression_that_is_wrong_or_never_due_is_refused(cron: str, message: str) -> None:
    with pytest.raises(BadCron, match=message) as refused:
        next_after(cron, "UTC", utc("2026-11-24 00:00"))
    assert refused.value.field == "cron"


@pytest.mark.parametrize(
    "name", ["Mars/Olympus", "", "../etc/passwd", "Europe", "/etc/localtime", "Europe/Berlin\0", "."]
)
def test_unknown_time_zone_is_refused(name: str) -> None:
    with pytest.raises(BadCron, match="IANA") as refused:
        next_after("0 2 * * *", name, utc("2026-11-24 00:00"))
    assert refused.value.field == "time_zone"


_FIELDS = st.lists(
    st.sampled_from(
        ["*", "0", "1", "30", "*/7", "1-5", "L", "LW", "MON#5", "5L", "*/29", "2,29", "1/3", "-", ",", "7"]
    ),
    min_size=5,
    max_size=5,
).map(" ".join)


@given(
    cron=_FIELDS,
    zone=st.sampled_from(["UTC", BERLIN, "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Kathmandu"]),
    after=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),
)
def test_times_are_later_than_the_start_and_ascending_or_the_expression_is_refused(
    cron: str, zone: str, after: datetime
) -> None:
    try:
        times = [after, *islice(times_after(cron, zone, after), 3)]
    except BadCron:
        return
    assert all(later > earlier for earlier, later in pairwise(times))
    assert all(moment.utcoffset() == timedelta(0) for moment in times)
