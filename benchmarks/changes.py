"""Publish events about changed items of a run at a steady rate, as the orchestrator does."""

import asyncio
import time
from datetime import UTC, datetime
from uuid import UUID

import nats

from llmbench.contracts.item_changed import ItemChanged, ItemRow
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import ItemStatus, RunPhase
from llmbench.messaging.publish import publish_durably
from tests.platform import Platform

_BATCH_S = 0.05
_FAR_APART = 7919
"""The distance between rows that change one after another. It is a prime, so that changes spread over the table and
each row changes once before any changes twice."""


async def change_items(stack: Platform, run_id: str, *, per_second: int, seconds: float) -> int:
    """Publish `per_second` events each second for `seconds`, and return their number.

    The database is not changed. The stream acknowledges each event. The field `at` of an event is the time of its
    publication.
    """
    rows = [ItemRow.model_validate(item) for item in await stack.items(run_id)]
    last_seq = (await stack.get(f"/api/runs/{run_id}"))["last_seq"]
    failure = ItemFailure(phase=RunPhase.JUDGING, kind="unparsed", message="no verdict", retryable=True)
    connection = await nats.connect(stack.nats_url)
    js = connection.jetstream()

    async def change(number: int) -> None:
        event = ItemChanged(
            run_id=UUID(run_id),
            run_seq=last_seq + number,
            at=datetime.now(UTC),
            item=rows[number * _FAR_APART % len(rows)].model_copy(
                update={"status": ItemStatus.FAILED, "failure": failure}
            ),
        )
        await publish_durably(js, event, service="benchmark")

    try:
        sent = 0
        began = time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            due = int(passed * per_second)
            await asyncio.gather(*(change(number) for number in range(sent + 1, due + 1)))
            sent = max(sent, due)
            await asyncio.sleep(_BATCH_S)
        return sent
    finally:
        await connection.close()
