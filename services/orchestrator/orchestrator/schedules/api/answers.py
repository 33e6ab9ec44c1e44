"""The responses of `/api/schedules`."""

from datetime import datetime
from itertools import islice
from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import UtcTime
from llmbench.contracts.run_words import RunOutcome, RunStatus
from llmbench.contracts.schedule_words import FiringCause, FiringStatus
from llmbench.http.created_by import CreatedBy
from orchestrator.schedules.domain.cron import BadCron, times_after, zone_of
from orchestrator.schedules.domain.records import FiredRun, Firing, Schedule

SHOWN_TIMES = 5


class DueTime(BaseModel):
    """A time at which a schedule is due: in UTC, and in the schedule's time zone."""

    at: UtcTime
    local: str = Field(description="With its offset: `2026-11-25T02:00:00+01:00`.")


class DueTimes(BaseModel):
    time_zone: str
    items: list[DueTime]


class FiredRunOut(BaseModel):
    id: UUID
    name: str
    status: RunStatus
    outcome: RunOutcome | None
    reason: str | None = Field(description="Why the run is paused, or failed.")

    @classmethod
    def of(cls, run: FiredRun) -> Self:
        return cls(id=run.id, name=run.name, status=run.status, outcome=run.outcome, reason=run.reason)


class FiringOut(BaseModel):
    """A firing of a schedule: a time at which it was due, or was run by hand. `missed` counts the later due times that
    had also passed when it fired; 100 means 100 or more.

    `run` is null while no run exists, and after the run was deleted.
    """

    id: UUID
    cause: FiringCause
    status: FiringStatus
    due_at: UtcTime
    fired_at: UtcTime
    missed: int
    reason: str | None = Field(description="Why no run was created, or not yet.")
    run: FiredRunOut | None

    @classmethod
    def of(cls, firing: Firing) -> Self:
        return cls(
            id=firing.id,
            cause=firing.cause,
            status=firing.status,
            due_at=firing.due_at,
            fired_at=firing.fired_at,
            missed=firing.missed,
            reason=firing.reason,
            run=None if firing.run is None else FiredRunOut.of(firing.run),
        )


class WhatOut(BaseModel):
    """The thing that a schedule starts: `kind` is a run or a suite, and `request` is the request as the client sent
    it."""

    kind: str
    request: dict[str, Any]


class ScheduleOut(BaseModel):
    """A schedule, with its next due times and its latest firing. A paused schedule has no due times."""

    id: UUID
    name: str
    cron: str
    time_zone: str
    what: WhatOut
    skip_if_running: bool
    paused: bool
    next_times: list[DueTime]
    last: FiringOut | None
    version: int
    created_at: UtcTime
    created_by: CreatedBy = None
    updated_at: UtcTime

    @classmethod
    def of(cls, schedule: Schedule, now: datetime) -> Self:
        plan = schedule.plan
        return cls(
            id=schedule.id,
            name=plan.name,
            cron=plan.cron,
            time_zone=plan.time_zone,
            what=WhatOut.model_validate(plan.what),
            skip_if_running=plan.skip_if_running,
            paused=schedule.paused,
            next_times=[] if schedule.next_due_at is None else _due_times(schedule, now),
            last=None if schedule.last is None else FiringOut.of(schedule.last),
            version=schedule.version,
            created_at=schedule.created_at,
            created_by=schedule.created_by,
            updated_at=schedule.updated_at,
        )


class ScheduleSaved(ScheduleOut):
    """The saved schedule. Only this response contains `webhook_secret`, and only if the platform generated it."""

    webhook_secret: str | None = None


class SchedulePage(BaseModel):
    items: list[ScheduleOut]
    next_cursor: str | None = None


class FiringPage(BaseModel):
    items: list[FiringOut]
    next_cursor: str | None


def due_times(cron: str, time_zone: str, after: datetime, count: int) -> list[DueTime]:
    """Return the next `count` times after `after` at which the expression is due; fewer if there are no more.

    Raises `BadCron` if the expression or the time zone is invalid.
    """
    zone = zone_of(time_zone)
    return [
        DueTime(at=moment, local=moment.astimezone(zone).isoformat(timespec="seconds"))
        for moment in islice(times_after(cron, time_zone, after), count)
    ]


def _due_times(schedule: Schedule, now: datetime) -> list[DueTime]:
    try:
        return due_times(schedule.plan.cron, schedule.plan.time_zone, now, SHOWN_TIMES)
    except BadCron:
        return []
