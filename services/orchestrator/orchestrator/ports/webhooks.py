"""What telling others that a batch is over needs of the database and of the network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True)
class DueWebhook:
    id: UUID
    run_id: UUID
    url: str
    attempts: int
    secret: str | None
    """`None` where it does not open: MASTER_KEY is another one."""


class WebhookStore(Protocol):
    async def claim(self, now: datetime, *, lease_s: float, most: int) -> Sequence[DueWebhook]:
        """Those due, of runs that are over: counted as attempted, and not due again before the lease ends."""
        ...

    async def next_due(self) -> datetime | None: ...

    async def delivered(self, id: UUID, now: datetime) -> None: ...

    async def not_delivered(self, id: UUID, error: str, *, again_at: datetime | None) -> None:
        """`None`: it is given up."""
        ...


class Undeliverable(Exception):
    """Nobody took it; the message says why."""


class WebhookSender(Protocol):
    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status of the answer. Raises `Undeliverable`. Follows no redirect, and calls no private address
        unless that is allowed."""
        ...
