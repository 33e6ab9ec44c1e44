"""Store the webhooks of schedules with encrypted secrets, and decrypt the secrets when a run is to be created."""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from llmbench.db.secrets import WEBHOOK_SECRET, Binding, SecretBox
from llmbench.errors import SecretsLocked
from llmbench.ids import new_id
from orchestrator.kernel.domain.new_run import NewWebhook


async def put_webhook(connection: AsyncConnection, box: SecretBox, schedule_id: UUID, new: NewWebhook | None) -> None:
    """Replace the webhook of the schedule. If `new` is `None`, remove the webhook."""
    await connection.execute(delete(t.schedule_webhook).where(t.schedule_webhook.c.schedule_id == schedule_id))
    if new is None:
        return
    id_ = new_id()
    sealed = box.seal(new.secret, Binding(id_, WEBHOOK_SECRET, new.url))
    values = {"id": id_, "schedule_id": schedule_id, "url": new.url, "sealed_secret": sealed}
    await connection.execute(insert(t.schedule_webhook).values(values))


async def opened_webhooks(
    connection: AsyncConnection, box: SecretBox, schedule_ids: Iterable[UUID]
) -> dict[UUID, NewWebhook]:
    """Return the webhooks of schedules with decrypted secrets, by schedule id. Webhooks whose secret cannot be
    decrypted are left out."""
    query = select(t.schedule_webhook).where(t.schedule_webhook.c.schedule_id.in_(list(schedule_ids)))
    found: dict[UUID, NewWebhook] = {}
    for row in await connection.execute(query):
        try:
            secret = box.open(row.sealed_secret, Binding(row.id, WEBHOOK_SECRET, row.url))
        except SecretsLocked:
            continue
        found[row.schedule_id] = NewWebhook(row.url, secret)
    return found
