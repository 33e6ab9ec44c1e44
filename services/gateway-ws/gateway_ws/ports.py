"""What the gateway needs of the world outside."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from gateway_ws.domain.event import Event


class NoAnswer(Exception):
    """The orchestrator did not answer, or not in a way we understand. Another try may help."""


@dataclass(frozen=True)
class Page:
    """Events from the number asked for on; `next_seq` starts the next page, `last_seq` is the newest."""

    found: bool
    events: tuple[Event, ...]
    next_seq: int
    last_seq: int


class RunEvents(Protocol):
    async def read(self, run_id: UUID, from_seq: int) -> Page:
        """Raises `NoAnswer`."""
