"""The port that creates the run of a firing. Each `kind` of a schedule's field `what` has its own implementation."""

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
