"""The ports for the delivery of webhooks: the store of due webhooks, and their sender."""

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
    """The webhook's secret; `None` if it cannot be decrypted, because MASTER_KEY has changed."""


class WebhookStore(Protocol):
    async def claim(self, now: datetime, *, lease_s: float, most: int) -> Sequence[DueWebhook]:
        """Lease up to `most` due webhooks for `lease_s` seconds. A webhook is due only if its run is finished or
        cancelled, and the run's gates are decided.

        Each lease counts as an attempt. If a lease expires before an outcome is recorded, the webhook is due again.
        """
        ...

    async def next_due(self) -> datetime | None: ...

    async def delivered(self, id: UUID, now: datetime) -> None: ...

    async def not_delivered(self, id: UUID, error: str, *, again_at: datetime | None) -> None:
        """Record a failed delivery. The next attempt is at `again_at`; if it is null, there is none."""
        ...


class Undeliverable(Exception):
    """Raised when a webhook's receiver cannot be reached, or its address is not allowed. The message says why."""


class WebhookSender(Protocol):
    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post the body and return the status code of the response, whatever it is.

        Redirects are not followed. Raises `Undeliverable` if there is no response in time, or if the address is not
        allowed, for instance a private one.
        """
        ...
