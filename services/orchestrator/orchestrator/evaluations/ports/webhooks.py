"""The ports that deliver webhooks: the database and the network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True)
class DueWebhook:
    id: UUID
    org_id: UUID
    run_id: UUID
    url: str
    attempts: int
    secret: str | None
    """The secret; `None` where it cannot be decrypted, because MASTER_KEY has changed."""


class WebhookStore(Protocol):
    async def claim(self, now: datetime, *, lease_s: float, most: int) -> Sequence[DueWebhook]:
        """Lease due webhooks whose runs are finished or cancelled.

        Each lease counts as an attempt. After the lease has expired, the webhook is due again.
        """
        ...

    async def next_due(self) -> datetime | None: ...

    async def delivered(self, id: UUID, now: datetime) -> None: ...

    async def not_delivered(self, id: UUID, error: str, *, again_at: datetime | None) -> None:
        """Record a failed delivery. If `again_at` is null, there will be no further attempt."""
        ...


class Undeliverable(Exception):
    """Raised when the webhook could not be sent to its address, or the address is not allowed. The message says why."""


class WebhookSender(Protocol):
    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post the body and return the response's status. Raises `Undeliverable`.

        The sender follows no redirect, and calls private addresses only if they are allowed.
        """
        ...
