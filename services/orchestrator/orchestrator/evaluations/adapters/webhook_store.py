"""Store webhooks in PostgreSQL: lease those that are due, and record the outcome of each delivery."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.run_words import RunStatus, WebhookStatus
from llmbench.db import tables as t
from llmbench.db.secrets import WEBHOOK_SECRET, Binding, SecretBox
from llmbench.errors import SecretsLocked
from llmbench.organisation import working_for
from orchestrator.evaluations.ports.webhooks import DueWebhook

_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)


class PostgresWebhookStore:
    """Implement the port `WebhookStore` in PostgreSQL: lease due webhooks, and record deliveries.

    The engine `everybody` finds the due webhooks of all organisations. The engine `engine` leases and updates them, for
    one organisation at a time.
    """

    def __init__(self, engine: AsyncEngine, everybody: AsyncEngine, box: SecretBox) -> None:
        self._engine = engine
        self._everybody = everybody
        self._box = box

    async def claim(self, now: datetime, *, lease_s: float, most: int) -> Sequence[DueWebhook]:
        is_due = _waiting() & (t.webhook.c.next_attempt_at <= now)
        oldest = select(t.webhook.c.id, t.webhook.c.org_id).where(is_due).order_by(t.webhook.c.next_attempt_at)
        due: dict[UUID, list[UUID]] = {}
        async with self._everybody.connect() as connection:
            for row in await connection.execute(oldest.limit(most)):
                due.setdefault(row.org_id, []).append(row.id)
        claimed: list[DueWebhook] = []
        for org_id, ids in due.items():
            with working_for(org_id):
                claimed += await self._claim(ids, is_due, now + timedelta(seconds=lease_s))
        return claimed

    async def _claim(
        self, ids: Sequence[UUID], is_due: ColumnElement[bool], leased_until: datetime
    ) -> list[DueWebhook]:
        free = select(t.webhook.c.id).where(t.webhook.c.id.in_(ids), is_due).with_for_update(skip_locked=True)
        claiming = (
            update(t.webhook)
            .where(t.webhook.c.id.in_(free.scalar_subquery()))
            .values(attempts=t.webhook.c.attempts + 1, next_attempt_at=leased_until)
            .returning(t.webhook)
        )
        async with self._engine.begin() as connection:
            rows = (await connection.execute(claiming)).mappings().all()
        return [
            DueWebhook(
                id=row["id"],
                org_id=row["org_id"],
                run_id=row["run_id"],
                url=row["url"],
                attempts=row["attempts"],
                secret=self._opened(row["id"], row["url"], row["sealed_secret"]),
            )
            for row in rows
        ]

    def _opened(self, id_: UUID, url: str, sealed: bytes) -> str | None:
        try:
            return self._box.open(sealed, Binding(id_, WEBHOOK_SECRET, url))
        except SecretsLocked:
            return None

    async def next_due(self) -> datetime | None:
        async with self._everybody.connect() as connection:
            query = select(func.min(t.webhook.c.next_attempt_at)).where(_waiting())
            value: datetime | None = (await connection.execute(query)).scalar_one()
        return value

    async def delivered(self, id: UUID, now: datetime) -> None:
        await self._set(id, status=WebhookStatus.DELIVERED, delivered_at=now, last_error=None)

    async def not_delivered(self, id: UUID, error: str, *, again_at: datetime | None) -> None:
        if again_at is None:
            await self._set(id, status=WebhookStatus.FAILED, last_error=error)
        else:
            await self._set(id, next_attempt_at=again_at, last_error=error)

    async def _set(self, id: UUID, **values: Any) -> None:
        # Update only a pending webhook: if a lease has expired and two deliveries overlap, the first final outcome is
        # kept.
        pending = t.webhook.c.status == WebhookStatus.PENDING
        async with self._engine.begin() as connection:
            await connection.execute(update(t.webhook).where(t.webhook.c.id == id, pending).values(values))


def _waiting() -> ColumnElement[bool]:
    # A webhook also reports the result of the run's gates, so it waits for them.
    ended = t.run.c.status.in_(_OVER) & ~t.run.c.gate_due
    over = select(t.run.c.id).where(t.run.c.id == t.webhook.c.run_id, ended).exists()
    return (t.webhook.c.status == WebhookStatus.PENDING) & over
