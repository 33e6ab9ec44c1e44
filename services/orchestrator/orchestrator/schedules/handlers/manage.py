"""Carry out a user's commands on schedules."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.schedules.domain.cron import BadCron, next_after
from orchestrator.schedules.domain.firing import requested_firing_id
from orchestrator.schedules.domain.records import Firing, Plan, Schedule
from orchestrator.schedules.handlers.fire import LEASE, Firings
from orchestrator.schedules.ports.clock import Clock
from orchestrator.schedules.ports.starting import Starter
from orchestrator.schedules.ports.store import NameTaken, ScheduleStore

MOST_SCHEDULES = 200
"""The maximum number of schedules of an organisation. The list of schedules is one page."""


@dataclass(frozen=True)
class ScheduleParts:
    """The dependencies of the command handlers, created when the service starts. `starters` has a starter for each
    `kind` of a schedule's field `what`."""

    store: ScheduleStore
    firings: Firings
    starters: Mapping[str, Starter]
    clock: Clock


async def create(at: ScheduleParts, plan: Plan, *, paused: bool) -> UUID:
    """Check the plan, create the schedule, and return its id.

    Raises a `Problem` with one of three statuses. 422: fields are invalid. 409: the name is taken, or there are too
    many schedules. 503: a service that checks the request does not answer.
    """
    if await at.store.count() >= MOST_SCHEDULES:
        detail = f"There are {MOST_SCHEDULES} schedules already: delete one that is not needed any more."
        raise Problem(409, "Too many schedules", detail)
    now = at.clock.now()
    next_due_at = _next(plan, at.clock)
    await _check(at, plan)
    try:
        schedule_id = await at.store.create(plan, next_due_at=None if paused else next_due_at, paused=paused, now=now)
    except NameTaken:
        raise _taken(plan) from None
    at.firings.wake()
    return schedule_id


async def replace(at: ScheduleParts, schedule: Schedule, plan: Plan, *, keep_webhook: bool) -> None:
    """Replace the plan of the schedule. Its next due time is computed again, from now on. With `keep_webhook`, the
    webhook and its secret stay.

    Raises a `Problem`:

    - 409: the name is taken.
    - 412: the schedule was changed meanwhile.
    - 422: fields are invalid.
    - 503: a service that checks the request does not answer.
    """
    next_due_at = _next(plan, at.clock)
    if plan.what != schedule.plan.what:
        await _check(at, plan)
    try:
        replaced = await at.store.replace(
            schedule.id,
            plan,
            version=schedule.version,
            next_due_at=None if schedule.paused else next_due_at,
            now=at.clock.now(),
            keep_webhook=keep_webhook,
        )
    except NameTaken:
        raise _taken(plan) from None
    if not replaced:
        detail = f"The schedule is no longer at version {schedule.version}: read it again and repeat the change."
        raise Problem(412, "Changed meanwhile", detail)
    at.firings.wake()


async def pause(at: ScheduleParts, schedule: Schedule) -> None:
    """Pause the schedule. An active run of the schedule continues. If the schedule is already paused, nothing
    changes."""
    if not schedule.paused:
        await at.store.set_paused(schedule.id, next_due_at=None, paused=True, now=at.clock.now())


async def resume(at: ScheduleParts, schedule: Schedule) -> None:
    """Resume a paused schedule, from its next due time on. Due times during the pause cause no run."""
    if schedule.paused:
        next_due_at = _next(schedule.plan, at.clock)
        await at.store.set_paused(schedule.id, next_due_at=next_due_at, paused=False, now=at.clock.now())
        at.firings.wake()


async def run_now(at: ScheduleParts, schedule: Schedule, key: str | None) -> Firing:
    """Start the schedule's run now, even if the schedule is paused or its last run is active. Return the firing.

    A request with the idempotency key of an earlier one returns the earlier firing.
    """
    now = at.clock.now()
    firing_id = new_id() if key is None else requested_firing_id(schedule.id, key)
    start = await at.store.request(schedule.id, firing_id, now=now, leased_until=now + LEASE)
    if start is not None:
        await at.firings.start(start)
        at.firings.wake()
    firing = await at.store.firing(firing_id)
    if firing is None:
        raise no_schedule(schedule.id)
    return firing


def no_schedule(schedule_id: UUID) -> Problem:
    return Problem(404, "No such schedule", f"There is no schedule {schedule_id}.")


def unusable(error: BadCron) -> Problem:
    return invalid([FieldError(error.field, str(error))], "schedule")


def _next(plan: Plan, clock: Clock) -> datetime:
    try:
        return next_after(plan.cron, plan.time_zone, clock.now())
    except BadCron as error:
        raise unusable(error) from None


async def _check(at: ScheduleParts, plan: Plan) -> None:
    """Raise a `Problem` if the plan could not be started now. It names the invalid fields of `plan.what`."""
    try:
        await at.starters[str(plan.what["kind"])].check(plan)
    except Problem as problem:
        raise of_request(problem) from None


def of_request(problem: Problem) -> Problem:
    """Return the problem, with its field names changed to their paths within the schedule's request."""
    errors = [FieldError(f"what.request.{error.field}", error.message) for error in problem.errors]
    return Problem(problem.status, problem.title, problem.detail, slug=problem.slug, errors=errors, extra=problem.extra)


def _taken(plan: Plan) -> Problem:
    message = f"another schedule is called '{plan.name}'"
    return Problem(409, "Name taken", message, errors=[FieldError("name", message)])
