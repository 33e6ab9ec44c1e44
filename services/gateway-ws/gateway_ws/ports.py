"""Define the port that reads a run's events from the orchestrator."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from gateway_ws.domain.event import Event


class NoAnswer(Exception):
    """Raised when the orchestrator gave no answer, or an invalid one. A later attempt may succeed."""


@dataclass(frozen=True)
class Page:
    """A page of events. `next_seq` is the number of the next page's first event, `last_seq` that of the newest event.

    `found` says whether the run exists.
    """

    found: bool
    events: tuple[Event, ...]
    next_seq: int
    last_seq: int


class RunEvents(Protocol):
    async def read(self, org_id: UUID | None, run_id: UUID, from_seq: int) -> Page:
        """Read a page of the events of the organisation's run, with numbers from `from_seq` on. Raises `NoAnswer`."""
