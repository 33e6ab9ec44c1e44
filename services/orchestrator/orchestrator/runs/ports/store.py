"""The port to the database that handlers use: lock a run and lead it in one transaction."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from orchestrator.kernel.domain.records import Group
from orchestrator.runs.ports.transaction import RunTransaction


class ActiveRunExists(Exception):
    """Raised when another run is already active: RUNNING or PAUSING, and not created to run next to others."""


class KeyTaken(Exception):
    """Raised when another request with the same Idempotency-Key was committed first."""


@dataclass(frozen=True)
class Deleted:
    """The result of deleting a run. `lane_tokens` are the tokens of its lanes on NATS that no other unfinished run
    uses."""

    lane_tokens: Sequence[str]


class RunStore(Protocol):
    async def delete(self, run_id: UUID) -> Deleted | None:
        """Delete the run with all its data in the database. Return `None` if there is no such run. Raises a 409
        `Problem` while it is active."""
        ...

    async def next_queued(self) -> UUID | None:
        """Return the organisation's run that has been queued for the longest time.

        `None` if there is none, or while one of its runs is active.
        """
        ...

    async def lane_in_use(self, group: Group, *, besides: UUID) -> bool:
        """Return whether another active run has the group's lane open."""
        ...

    def lead(self, run_id: UUID) -> AbstractAsyncContextManager[RunTransaction | None]:
        """Open a transaction that has the run locked and loaded. The context's value is `None` if there is no such run.
        Leaving the context without an error commits."""
        ...
