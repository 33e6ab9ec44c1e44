"""The port that starts what a schedule is for, such as a run. Each kind of `what` has its own implementation."""

from typing import Protocol
from uuid import UUID

from orchestrator.schedules.domain.records import Plan, Start


class Starter(Protocol):
    async def check(self, plan: Plan) -> None:
        """Check whether the request could be started now. Raises the `Problem` that a start would raise."""
        ...

    async def start(self, start: Start) -> UUID:
        """Create the run of a firing, queued, and return its id. A second call for the same firing returns the id of
        the same run. Raises a `Problem`."""
        ...
