"""Test the loop of schedules with fakes. An error of one schedule or firing stops no other. The loop waits for the end
of an outage."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from wound_clock import WoundClock, utc

from llmbench.contracts.schedule_words import FiringStatus
from llmbench.errors import Problem
from llmbench.ids import DEFAULT_ORG_ID, new_id
from orchestrator.schedules.domain.firing import Decision, Timing
from orchestrator.schedules.domain.records import Plan, Start
from orchestrator.schedules.handlers.fire import Firings
from orchestrator.schedules.ports.store import AllSchedules, ScheduleStore

NOW = utc("2026-11-24 02:00")
PLAN = Plan("Nightly", "0 2 * * *", "UTC", {"kind": "run", "request": {}}, skip_if_running=True)


def a_start(*, attempts: int = 1, fired_at: datetime = NOW, kind: str = "run") -> Start:
    plan = Plan(PLAN.name, PLAN.cron, PLAN.time_zone, {"kind": kind, "request": {}}, skip_if_running=True)
    return Start(new_id(), DEFAULT_ORG_ID, new_id(), plan, attempts, fired_at)


@dataclass
class FakeStore:
    """A fake of both ports, `ScheduleStore` and `AllSchedules`, with the methods that the loop calls."""

    due_ids: list[UUID] = field(default_factory=list)
    broken: set[UUID] = field(default_factory=set)
    unclaimed: list[Start] = field(default_factory=list)
    settled: list[UUID] = field(default_factory=list)
    runs: dict[UUID, UUID] = field(default_factory=dict)
    failures: dict[UUID, str] = field(default_factory=dict)
    retries: dict[UUID, tuple[datetime, str]] = field(default_factory=dict)

    async def due(self, now: datetime, *, future_from: datetime) -> Sequence[tuple[UUID, UUID]]:
        return [(DEFAULT_ORG_ID, schedule_id) for schedule_id in self.due_ids]

    async def next_wake(self) -> datetime | None:
        return None

    async def claim(self, now: datetime, *, leased_until: datetime, most: int) -> Sequence[Start]:
        claimed, self.unclaimed = self.unclaimed[:most], self.unclaimed[most:]
        return claimed

    async def settle(self, schedule_id: UUID, decide: Callable[[Timing], Decision | None], *, now: datetime) -> None:
        if schedule_id in self.broken:
            raise RuntimeError("the row cannot be read")
        self.settled.append(schedule_id)

    async def started(self, firing_id: UUID, run_id: UUID) -> None:
        self.runs[firing_id] = run_id

    async def not_started(self, firing_id: UUID, status: FiringStatus, reason: str) -> None:
        self.failures[firing_id] = reason

    async def try_again(self, firing_id: UUID, *, at: datetime, reason: str) -> None:
        self.retries[firing_id] = at, reason


class FakeStarter:
    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)

    async def check(self, plan: Plan) -> None: ...

    async def start(self, start: Start) -> UUID:
        if self._errors:
            raise self._errors.pop(0)
        return start.firing_id


def firings(store: FakeStore, *errors: Exception, now: datetime = NOW) -> Firings:
    fake: Any = store
    starters = {"run": FakeStarter(*errors)}
    return Firings(cast("ScheduleStore", fake), cast("AllSchedules", fake), starters, WoundClock(now))


async def test_broken_schedule_stops_no_other_and_is_reported() -> None:
    broken, sound = new_id(), new_id()
    store = FakeStore(due_ids=[broken, sound], broken={broken})
    assert await firings(store).look() is False
    assert store.settled == [sound]
    store.broken.clear()
    assert await firings(store).look() is True


async def test_all_firings_are_started_a_few_at_a_time() -> None:
    starts = [a_start() for _ in range(20)]
    store = FakeStore(unclaimed=list(starts))
    await firings(store).look()
    assert set(store.runs) == {start.firing_id for start in starts}


async def test_refused_request_fails_its_firing_and_no_other() -> None:
    first, second = a_start(), a_start()
    store = FakeStore(unclaimed=[first, second])
    await firings(store, Problem(422, "Invalid run", "there is no provider")).look()
    assert store.failures == {first.firing_id: "there is no provider"}
    assert store.runs == {second.firing_id: second.firing_id}


async def test_firing_is_tried_again_while_a_service_does_not_answer() -> None:
    start = a_start(attempts=2)
    store = FakeStore(unclaimed=[start])
    await firings(store, Problem(503, "Away", "the judge does not answer")).look()
    assert store.retries == {start.firing_id: (NOW + timedelta(seconds=10), "the judge does not answer")}


async def test_unexpected_error_is_tried_again_without_its_details() -> None:
    start = a_start()
    store = FakeStore(unclaimed=[start])
    await firings(store, RuntimeError("password=secret")).look()
    at, reason = store.retries[start.firing_id]
    assert at == NOW + timedelta(seconds=5)
    assert reason == "an unexpected error: RuntimeError; the log has more"


async def test_firing_is_given_up_after_an_hour_of_outage() -> None:
    start = a_start(attempts=60)
    store = FakeStore(unclaimed=[start])
    late = NOW + timedelta(hours=1)
    await firings(store, Problem(503, "Away", "the judge does not answer"), now=late).look()
    assert store.failures == {start.firing_id: "given up after an hour: the judge does not answer"}


async def test_kind_that_this_version_does_not_know_fails_with_what_to_do() -> None:
    start = a_start(kind="suite")
    store = FakeStore(unclaimed=[start])
    await firings(store).look()
    assert store.failures == {start.firing_id: "this version cannot start 'suite': save the schedule again"}
