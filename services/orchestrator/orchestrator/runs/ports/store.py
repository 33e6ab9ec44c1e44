"""The port to the database that handlers use: lock a run and lead it in one transaction."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from orchestrator.kernel.domain.queue import Queued
from orchestrator.kernel.domain.records import Group
from orchestrator.runs.ports.transaction import RunTransaction


class ActiveRunExists(Exception):
    """Raised when another run is already RUNNING or PAUSING."""


class KeyTaken(Exception):
    """Raised when another request with the same Idempotency-Key was committed first."""


@dataclass(frozen=True)
class Deleted:
    """The result of deleting a run: `lane_tokens` name its lanes on NATS that no unfinished run uses."""

    lane_tokens: Sequence[str]


class RunStore(Protocol):
    async def delete(self, run_id: UUID) -> Deleted | None:
        """Delete the run with everything that belongs to it. Return `None` if there is no such run. Raises a 409
        `Problem` while it is active."""
        ...

    async def next_queued(self) -> UUID | None:
        """Return the first run of the organisation's queue.

        `None` if there is none, or while one of its runs is active.
        """
        ...

    async def reorder(
        self, run_id: UUID, change: Callable[[Sequence[Queued]], Sequence[Queued]], now: datetime
    ) -> bool:
        """Give the queue the order that `change` returns for its present order, and log that `run_id` was moved.

        Return `False` if there is no such run. Raises a 409 `Problem` if it is not queued.
        """
        ...

    async def lane_in_use(self, group: Group, *, besides: UUID) -> bool:
        """Return whether another active run has the group's lane open."""
        ...

    def lead(self, run_id: UUID) -> AbstractAsyncContextManager[RunTransaction | None]:
        """Lock and load the run; `None` if there is no such run. Leaving the context without an error commits."""
        ...
