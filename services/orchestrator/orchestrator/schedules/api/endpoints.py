"""The endpoints of `/api/schedules`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Header, Query, Response

from llmbench.access import Resource
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.api.cursor import encode
from orchestrator.kernel.api.query import CursorText, Limit
from orchestrator.kernel.domain.new_run import NewWebhook
from orchestrator.results.api.cursors import time_cursor
from orchestrator.runs.api.idempotency import Key
from orchestrator.runs.api.webhook_choice import WebhookRules, webhook_of
from orchestrator.schedules.api.answers import (
    SHOWN_TIMES,
    DueTimes,
    FiringOut,
    FiringPage,
    ScheduleOut,
    SchedulePage,
    ScheduleSaved,
    due_times,
)
from orchestrator.schedules.api.bodies import CreateSchedule, ScheduleIn
from orchestrator.schedules.api.read_plan import plan_of
from orchestrator.schedules.domain.cron import NEVER, BadCron
from orchestrator.schedules.domain.records import Schedule
from orchestrator.schedules.handlers import manage
from orchestrator.schedules.handlers.manage import ScheduleParts

PATH = "/api/schedules"
_TAKEN = answers(409, "The name is taken, or there are too many schedules.")
_CHANGED = answers(412, "The schedule was changed meanwhile.")
IfMatch = Annotated[
    str | None,
    Header(max_length=4096, description="The ETag that you read before this change. If it is outdated: 412."),
]


@dataclass(frozen=True)
class ScheduleServices:
    """The dependencies of the endpoints, created when the service starts."""

    parts: ScheduleParts
    webhooks: WebhookRules


def router(opened: Callable[[], ScheduleServices]) -> ServiceRouter:
    api = ServiceRouter(prefix=PATH, tags=["schedules"], resource=Resource.RUNS)

    def services() -> ScheduleParts:
        return opened().parts

    @api.get("", operation_id="listSchedules")
    async def list_schedules() -> SchedulePage:
        """List all schedules by name, each with its next due times and its latest firing."""
        now = services().clock.now()
        return SchedulePage(items=[ScheduleOut.of(schedule, now) for schedule in await services().store.all()])

    @api.get("/next-times", operation_id="nextTimes")
    async def next_times(
        cron: Annotated[str, Query(min_length=1, max_length=200)],
        time_zone: Annotated[str, Query(min_length=1, max_length=100)] = "UTC",
        count: Annotated[int, Query(ge=1, le=50)] = SHOWN_TIMES,
    ) -> DueTimes:
        """Return the next times at which a cron expression is due, without creating a schedule."""
        try:
            times = due_times(cron, time_zone, services().clock.now(), count)
        except BadCron as error:
            raise manage.unusable(error) from None
        if not times:
            raise manage.unusable(BadCron("cron", NEVER))
        return DueTimes(time_zone=time_zone, items=times)

    @api.post("", status_code=201, operation_id="createSchedule", responses=_TAKEN)
    async def create(body: CreateSchedule, response: Response) -> ScheduleSaved:
        """Create a schedule. Its request is checked as if it were sent now."""
        webhook, generated = _webhook(body)
        schedule_id = await manage.create(services(), plan_of(body, webhook), paused=body.paused)
        response.headers["Location"] = f"{PATH}/{schedule_id}"
        return ScheduleSaved(**dict(await _shown(schedule_id, response)), webhook_secret=generated)

    @api.get("/{schedule_id}", operation_id="getSchedule")
    async def get(schedule_id: UUID, response: Response) -> ScheduleOut:
        """Return the schedule with its next due times and its latest firing."""
        return await _shown(schedule_id, response)

    @api.put("/{schedule_id}", operation_id="updateSchedule", responses=_TAKEN | _CHANGED)
    async def update(
        schedule_id: UUID, body: ScheduleIn, response: Response, if_match: IfMatch = None
    ) -> ScheduleSaved:
        """Replace the schedule. Its next due time is computed again; runs that it has started stay as they are. A
        webhook keeps its secret if the request has the same URL and no secret."""
        schedule = await _found(schedule_id)
        _require_match(if_match, schedule)
        webhook, generated = _webhook(body)
        keep = generated is not None and _url_of(schedule) == body.what.request.webhook_url
        await manage.replace(services(), schedule, plan_of(body, webhook), keep_webhook=keep)
        saved = await _shown(schedule_id, response)
        return ScheduleSaved(**dict(saved), webhook_secret=None if keep else generated)

    @api.post("/{schedule_id}/pause", operation_id="pauseSchedule")
    async def pause(schedule_id: UUID, response: Response) -> ScheduleOut:
        """Pause the schedule: it starts nothing until it is resumed. A run that it has started goes on."""
        await manage.pause(services(), await _found(schedule_id))
        return await _shown(schedule_id, response)

    @api.post("/{schedule_id}/resume", operation_id="resumeSchedule")
    async def resume(schedule_id: UUID, response: Response) -> ScheduleOut:
        """Resume the schedule. Due times that passed during the pause start no run."""
        await manage.resume(services(), await _found(schedule_id))
        return await _shown(schedule_id, response)

    @api.post("/{schedule_id}/run", status_code=202, operation_id="runSchedule")
    async def run_now(schedule_id: UUID, key: Key = None) -> FiringOut:
        """Start the schedule's run now, also while the schedule is paused or its last run is active."""
        return FiringOut.of(await manage.run_now(services(), await _found(schedule_id), key))

    @api.get("/{schedule_id}/firings", operation_id="listFirings")
    async def list_firings(schedule_id: UUID, limit: Limit = 20, cursor: CursorText = None) -> FiringPage:
        """List the firings of the schedule (the times at which it started a run or should have), the latest first.
        Older firings than the last 100 are deleted."""
        after = time_cursor(cursor)
        await _found(schedule_id)
        found = await services().store.firings(schedule_id, after=after, limit=limit + 1)
        last = found[limit - 1] if len(found) > limit else None
        place = encode(last.fired_at.isoformat(), last.id) if last else None
        return FiringPage(items=[FiringOut.of(firing) for firing in found[:limit]], next_cursor=place)

    @api.delete("/{schedule_id}", status_code=204, operation_id="deleteSchedule")
    async def delete(schedule_id: UUID) -> None:
        """Delete the schedule and its history. Its runs are kept."""
        if not await services().store.delete(schedule_id):
            raise manage.no_schedule(schedule_id)

    def _webhook(body: ScheduleIn) -> tuple[NewWebhook | None, str | None]:
        """Return the webhook of the schedule's runs, and its secret if it had to be generated."""
        request = body.what.request
        try:
            opened().webhooks.check(request.webhook_url, request.webhook_secret, what="schedule")
        except Problem as problem:
            raise manage.of_request(problem) from None
        return webhook_of(request.webhook_url, request.webhook_secret)

    async def _found(schedule_id: UUID) -> Schedule:
        schedule = await services().store.get(schedule_id)
        if schedule is None:
            raise manage.no_schedule(schedule_id)
        return schedule

    async def _shown(schedule_id: UUID, response: Response) -> ScheduleOut:
        schedule = await _found(schedule_id)
        response.headers["ETag"] = f'"{schedule.version}"'
        return ScheduleOut.of(schedule, services().clock.now())

    return api


def _url_of(schedule: Schedule) -> str | None:
    """Return the URL of the schedule's webhook."""
    url: str | None = schedule.plan.what["request"].get("webhook_url")
    return url


def _require_match(if_match: str | None, schedule: Schedule) -> None:
    if if_match is None:
        return
    tags = {tag.strip().strip('"') for tag in if_match.split(",")}
    if not tags & {"*", str(schedule.version)}:
        detail = f"The schedule is at version {schedule.version}, not at {if_match}: read it again, repeat the change."
        raise Problem(412, "Changed meanwhile", detail, extra={"version": schedule.version})
