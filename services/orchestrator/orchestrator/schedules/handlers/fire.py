"""Fire schedules at their times, and create the runs of their firings. A firing is one occasion on which a schedule
starts, or should start, its run.

A firing is stored in the transaction that moves its schedule to the next due time, before its run is created. So no
firing is lost if the process is killed. The firing's id is the run's idempotency key. So no firing creates two runs if
several orchestrators work on it.
"""

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial

from llmbench.contracts.schedule_words import FiringStatus
from llmbench.errors import Problem
from llmbench.organisation import working_for
from orchestrator.schedules.domain.firing import CLOCK_TOLERANCE, decide, retry_at
from orchestrator.schedules.domain.records import Start
from orchestrator.schedules.ports.clock import Clock
from orchestrator.schedules.ports.starting import Starter
from orchestrator.schedules.ports.store import AllSchedules, ScheduleStore

_log = logging.getLogger(__name__)

AT_ONCE = 8
LEASE = timedelta(seconds=60)
LOOK_EVERY = timedelta(seconds=15)
"""The maximum time between two checks of the schedules. The loop also checks them at the next due time, and when a
schedule was changed. This limit covers changes that start no check, for instance if the clock was set."""
_LONGEST_REASON = 2_000
_UNAVAILABLE = 500


class Firings:
    """The loop that fires schedules and creates the runs of their firings. Nothing else creates such runs."""

    def __init__(
        self, store: ScheduleStore, all_schedules: AllSchedules, starters: Mapping[str, Starter], clock: Clock
    ) -> None:
        """Create the loop. `starters` has a starter for each `kind` of a schedule's field `what`."""
        self._store = store
        self._all = all_schedules
        self._starters = starters
        self._clock = clock
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Make the loop check the schedules at once, because one of them has changed."""
        self._woken.set()

    async def run(self) -> None:
        """Fire due schedules until cancelled. Errors, for instance of the database, are logged, and the loop
        continues."""
        while True:
            self._woken.clear()
            try:
                sound = await self.look()
                wake_at = await self._all.next_wake() if sound else None
            except Exception as error:  # noqa: BLE001  # the loop tries again
                _log.warning("due schedules could not be read: %r", error)
                wake_at = None
            latest = self._clock.now() + LOOK_EVERY
            await self._wait_until(latest if wake_at is None else min(wake_at, latest))

    async def look(self) -> bool:
        """Fire every schedule that is due, and create the runs of all firings that have no run yet. Return `False` if
        an error prevented a firing; its schedule stays due."""
        now = self._clock.now()
        sound = True
        for org_id, schedule_id in await self._all.due(now, future_from=now + CLOCK_TOLERANCE):
            try:
                with working_for(org_id):
                    await self._store.settle(schedule_id, partial(decide, now=now), now=now)
            except Exception:  # noqa: BLE001  # a broken schedule must not stop the others
                _log.exception("schedule %s could not be fired; trying again", schedule_id)
                sound = False
        now = self._clock.now()
        while starts := await self._all.claim(now, leased_until=now + LEASE, most=AT_ONCE):
            await asyncio.gather(*(self._start_for_owner(start) for start in starts))
        return sound

    async def start(self, start: Start) -> None:
        """Create the run of a leased firing, and store the outcome: the run, the reason for not creating it, or the
        time of the next attempt. An error of the database is raised, and the lease then expires."""
        try:
            run_id = await self._starter(start).start(start)
        except Problem as problem:
            if problem.status < _UNAVAILABLE:
                await self._failed(start, problem.detail)
                return
            await self._try_again(start, problem.detail)
        except Exception as error:  # noqa: BLE001  # it is stored, and tried again
            _log.warning("the run of schedule %s could not be created: %r", start.schedule_id, error)
            await self._try_again(start, f"an unexpected error: {type(error).__name__}; the log has more")
        else:
            await self._store.started(start.firing_id, run_id)

    async def _start_for_owner(self, start: Start) -> None:
        with working_for(start.org_id):
            try:
                await self.start(start)
            except Exception as error:  # noqa: BLE001  # the lease ends, and the firing is tried again
                _log.warning("firing %s could not be stored: %r", start.firing_id, error)

    def _starter(self, start: Start) -> Starter:
        kind = str(start.plan.what.get("kind"))
        starter = self._starters.get(kind)
        if starter is None:
            raise Problem(422, "Unknown kind", f"this version cannot start '{kind}': save the schedule again")
        return starter

    async def _try_again(self, start: Start, reason: str) -> None:
        at = retry_at(start.attempts, fired_at=start.fired_at, now=self._clock.now())
        if at is None:
            await self._failed(start, f"given up after an hour: {reason}")
        else:
            await self._store.try_again(start.firing_id, at=at, reason=reason[:_LONGEST_REASON])

    async def _failed(self, start: Start, reason: str) -> None:
        await self._store.not_started(start.firing_id, FiringStatus.FAILED, reason[:_LONGEST_REASON])

    async def _wait_until(self, moment: datetime) -> None:
        """Wait until `moment`, or until the loop is woken."""
        waiting = [
            asyncio.create_task(self._woken.wait()),
            asyncio.create_task(self._clock.wait_until(moment)),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
