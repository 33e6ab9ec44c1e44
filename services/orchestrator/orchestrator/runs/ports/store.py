"""The port to runs in the database. `RunStore.lead` opens the transaction in which one run is read and changed."""

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
    """Raised when a second run of an organisation would be active, that is RUNNING or PAUSING. Runs that were created
    to run next to others do not count."""


class KeyTaken(Exception):
    """Raised when another request with the same Idempotency-Key was committed first."""


@dataclass(frozen=True)
class Deleted:
    """The result of deleting a run. `run_ids` are the run, which comes first, and its judge checks, which were deleted
    with it. `lane_tokens` are the names on NATS (`llmbench.ids.group_token`) of the lanes that these runs had opened
    and no other unfinished run uses."""

    run_ids: Sequence[UUID]
    lane_tokens: Sequence[str]


class RunStore(Protocol):
    async def delete(self, run_id: UUID) -> Deleted | None:
        """Delete the run with all its data and its judge checks in the database. Return `None` if there is no such run.

        Raises a 409 `Problem` while the run or one of its judge checks is active. Also raises one while the run is the
        baseline of a preset or suite, or its anchor (a second run to compare with).
        """
        ...

    async def delete_all(self, run_ids: Sequence[UUID]) -> Sequence[Deleted]:
        """Delete several runs with all their data and their judge checks, in one transaction. Return those that
        existed, sorted by id.

        Raises a 409 `Problem` that names each run which cannot be deleted. No run is deleted then.
        """
        ...

    async def next_queued(self) -> UUID | None:
        """Return the id of the first run of the organisation's queue.

        `None` if no run is queued, or while a run of the organisation is active. Runs that were created to run next to
        others do not count as active.
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
        """Return whether an active run other than `besides` still uses the group's lane (queue of calls)."""
        ...

    def lead(self, run_id: UUID) -> AbstractAsyncContextManager[RunTransaction | None]:
        """Open a transaction in which the run is locked and loaded. The context's value is `None` if there is no such
        run. Leaving the context without an error commits."""
        ...
