"""The ports to schedules and their firings in the database."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from llmbench.contracts.schedule_words import FiringStatus
from orchestrator.schedules.domain.firing import Decision, Timing
from orchestrator.schedules.domain.records import Firing, Plan, Schedule, Start


class NameTaken(Exception):
    """Raised when another schedule of the organisation has the same name."""


class ScheduleStore(Protocol):
    """Reads and changes schedules. They belong to the organisation for which the current asyncio task works."""

    async def all(self) -> Sequence[Schedule]:
        """Return the organisation's schedules by name."""
        ...

    async def get(self, schedule_id: UUID) -> Schedule | None: ...

    async def count(self) -> int: ...

    async def create(self, plan: Plan, *, next_due_at: datetime | None, paused: bool, now: datetime) -> UUID:
        """Create a schedule and return its id. Raises `NameTaken` if another schedule has the name."""
        ...

    async def replace(
        self,
        schedule_id: UUID,
        plan: Plan,
        *,
        version: int,
        next_due_at: datetime | None,
        now: datetime,
        keep_webhook: bool,
    ) -> bool:
        """Replace the plan of the schedule if it is still at `version`. Return whether the plan was replaced. Raises
        `NameTaken` if another schedule has the name.

        A paused schedule stays paused. With `keep_webhook`, the stored webhook stays as it is.
        """
        ...

    async def set_paused(self, schedule_id: UUID, *, paused: bool, next_due_at: datetime | None, now: datetime) -> None:
        """Pause the schedule, or resume it with the due time `next_due_at`."""
        ...

    async def delete(self, schedule_id: UUID) -> bool:
        """Delete the schedule with its firings; its runs stay. Return `False` if there is no such schedule."""
        ...

    async def firings(self, schedule_id: UUID, *, after: tuple[datetime, UUID] | None, limit: int) -> Sequence[Firing]:
        """Return firings of the schedule, the latest first. `after` is the cursor: the time and the id of the last
        firing of the previous page."""
        ...

    async def firing(self, firing_id: UUID) -> Firing | None: ...

    async def request(
        self, schedule_id: UUID, firing_id: UUID, *, now: datetime, leased_until: datetime
    ) -> Start | None:
        """Store a firing that a user requested, leased until `leased_until`. Return the `Start` of its run; `None` if
        the firing exists already, or if there is no such schedule."""
        ...

    async def settle(self, schedule_id: UUID, decide: Callable[[Timing], Decision | None], *, now: datetime) -> None:
        """Lock the schedule, call `decide` with its state, and store the resulting firing and next due time."""
        ...

    async def started(self, firing_id: UUID, run_id: UUID) -> None:
        """Store the id of the run that a firing has created, if the firing is still STARTING."""
        ...

    async def not_started(self, firing_id: UUID, status: FiringStatus, reason: str) -> None:
        """Store why a firing has no run, if the firing is still STARTING."""
        ...

    async def try_again(self, firing_id: UUID, *, at: datetime, reason: str) -> None:
        """Store the time `at` at which a firing is tried again, and the reason, if the firing is still STARTING."""
        ...


class AllSchedules(Protocol):
    """Finds due schedules and firings of all organisations. The caller then handles each one on behalf of its
    organisation."""

    async def due(self, now: datetime, *, future_from: datetime) -> Sequence[tuple[UUID, UUID]]:
        """Return the organisation's id and the schedule's id of each schedule that is due.

        Also return each schedule whose next due time was computed in the future, after `future_from`: the clock was set
        back after that computation. Its next due time has to be computed again. `future_from` is shortly after `now`.
        """
        ...

    async def next_wake(self) -> datetime | None:
        """Return the earliest time at which a schedule is due, or a firing has to be tried again; `None` if there is no
        such time."""
        ...

    async def claim(self, now: datetime, *, leased_until: datetime, most: int) -> Sequence[Start]:
        """Lease and return up to `most` firings whose run is not created yet. Firings with an unexpired lease are left
        out."""
        ...
