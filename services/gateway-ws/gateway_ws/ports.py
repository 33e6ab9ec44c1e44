"""Define the port that reads a run's events from the orchestrator."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from gateway_ws.domain.event import Event


class NoAnswer(Exception):
    """Raised when the orchestrator gave no answer, or an invalid one. A later attempt may succeed."""


@dataclass(frozen=True)
class Page:
    """A page of a run's events, in order. `found` says whether the run exists.

    `next_seq` is the number at which the next page starts, `last_seq` that of the run's newest event.
    """

    found: bool
    events: tuple[Event, ...]
    next_seq: int
    last_seq: int


class RunEvents(Protocol):
    async def read(self, org_id: UUID | None, run_id: UUID, from_seq: int) -> Page:
        """Read a page of a run's events with numbers from `from_seq` on. Raises `NoAnswer` if the orchestrator gives no
        valid answer.

        A run of another organisation than `org_id` is not found.
        """
