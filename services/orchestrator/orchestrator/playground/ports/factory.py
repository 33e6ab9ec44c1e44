"""The port that creates a playground's run, and reads the active run."""

from typing import Protocol

from orchestrator.evaluations.domain.placement import Active
from orchestrator.runs.ports.factory import RunFactory


class PlaygroundFactory(RunFactory, Protocol):
    async def active(self) -> Active | None:
        """Return the active run with the models that it still uses; `None` if no run is active."""
        ...
