"""Compute the times at which a cron expression is due in a time zone.

The rules are those of Debian's cron (crontab(5), Vixie cron), computed by `cronsim`. If the hour and minute of an
expression are numbers or lists, it is due at these local times. If the clocks go forward over a due time, the
expression is due right after the gap. If the clocks go back, the expression is due only at the first of the two equal
times. Every other expression follows real time: it is due twice in an hour that is repeated, and not in an hour that is
left out.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from orchestrator.kernel.domain.time_zones import NO_ZONE, time_zone

_FIELDS = 5
FORM = "five fields, minute hour day-of-month month day-of-week: `0 2 * * *` is every day at 02:00"

NEVER = "is never due: no date of the next 50 years satisfies all of its fields"


class BadCron(ValueError):
    """Raised for a cron expression or a time zone that cannot be used. `field` is the field at fault."""

    def __init__(self, field: Literal["cron", "time_zone"], message: str) -> None:
        super().__init__(message)
        self.field = field


def times_after(cron: str, time_zone: str, after: datetime) -> Iterator[datetime]:
    """Return the times after `after` at which the expression is due, in order and in UTC.

    The iterator ends if the expression is not due in the next 50 years. Raises `BadCron` if the
    expression or the time zone is invalid.
    """
    zone = zone_of(time_zone)
    count = len(cron.split())
    if count != _FIELDS:
        raise BadCron("cron", f"has {count} field{'' if count == 1 else 's'}: write {FORM}")
    try:
        local_times = CronSim(cron, after.astimezone(zone))
    except CronSimError as error:
        message = NEVER if _is_impossible_date(cron) else f"cannot be read ({str(error).lower()}): write {FORM}"
        raise BadCron("cron", message) from error
    return _in_order(local_times, after)


def next_after(cron: str, time_zone: str, after: datetime) -> datetime:
    """Return the first time after `after` at which the expression is due, in UTC.

    Raises `BadCron` if there is none in the next 50 years, or if the expression or the time zone is invalid.
    """
    first = next(times_after(cron, time_zone, after), None)
    if first is None:
        raise BadCron("cron", NEVER)
    return first


def _is_impossible_date(cron: str) -> bool:
    """Return whether a refused expression has only valid fields. The reason for the refusal is then a date that does
    not exist, such as 30 February."""
    minute, hour, day, month, weekday = cron.split()
    try:
        CronSim(f"{minute} {hour} {day} * {weekday}", datetime.now(UTC))
        CronSim(f"{minute} {hour} * {month} {weekday}", datetime.now(UTC))
    except CronSimError:
        return False
    return True


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone with this IANA name. Raises `BadCron` if no time zone has it."""
    zone = time_zone(name)
    if zone is None:
        raise BadCron("time_zone", NO_ZONE)
    return zone


def _in_order(local_times: Iterator[datetime], after: datetime) -> Iterator[datetime]:
    # A time without a zone that occurs twice means the first of both, which may have passed already.
    for local in local_times:
        moment = local.astimezone(UTC)
        if moment > after:
            after = moment
            yield moment
