"""Put the event of a changed dataset into the outbox, in the transaction that changes the dataset."""

from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.bodies import now
from config_api.datasets import store
from config_api.datasets.schemas import DatasetOut
from llmbench.contracts.dataset_changed import DatasetChanged
from llmbench.db.tables import config_outbox
from llmbench.messaging.outbox import put


async def publish_change(
    connection: AsyncConnection, change: Literal["created", "updated", "deleted"], id_: UUID
) -> DatasetOut:
    """Put an event that reports the change into the outbox. Return the dataset's current state."""
    dataset = await store.find_dataset(connection, id_)
    assert dataset is not None, "the transaction holds it"
    await put(connection, config_outbox, [DatasetChanged(change=change, id=id_, name=dataset.name, at=now())])
    return dataset
