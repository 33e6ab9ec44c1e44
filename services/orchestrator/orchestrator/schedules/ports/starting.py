"""The port that creates a run when a schedule is due or run by hand (a firing). There is one implementation for each
kind of thing that a schedule starts (`what.kind`), such as a run or a suite."""

from typing import Protocol
from uuid import UUID

from orchestrator.schedules.domain.records import Plan, Start


class Starter(Protocol):
    async def check(self, plan: Plan) -> None:
        """Check whether the request could be started now. If not, raise the `Problem` with which a start would fail."""
        ...

    async def start(self, start: Start) -> UUID:
        """Create a queued run for the firing, and return the run's id. A second call for the same firing returns the
        same id. Raises a `Problem` if the run cannot be created."""
        ...
