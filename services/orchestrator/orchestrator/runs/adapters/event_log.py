"""Publish a run's events and commands through the outbox. Events are also numbered and stored in the run's log."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import BigInteger, DateTime, Uuid, bindparam, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.base import Message
from llmbench.contracts.run_event import RunEvent
from llmbench.db import tables as t
from llmbench.messaging.outbox import VALUES, putting, values_of
from llmbench.messaging.publish import encode

# The log stores the messages' bodies, so that its readers get exactly what was published. Commands come after all
# events. Their `run_seq` is null, and they are not logged.
_LOGGED: Final = """
    logged AS (
        INSERT INTO run_event (run_id, run_seq, type, at, item_id, body)
        SELECT :run_id, run_seq, type, at, item_id, convert_from(body, 'UTF8')::jsonb
        FROM unnest(:seqs, :ats, :item_ids, :types, :bodies) AS event (run_seq, at, item_id, type, body)
        WHERE run_seq IS NOT NULL
    ),
"""
_PUBLISH: Final = text(putting(t.run_outbox, besides=_LOGGED)).bindparams(
    *VALUES,
    bindparam("run_id", type_=Uuid),
    bindparam("seqs", type_=ARRAY(BigInteger)),
    bindparam("ats", type_=ARRAY(DateTime(timezone=True))),
    bindparam("item_ids", type_=ARRAY(Uuid)),
)


async def publish(
    connection: AsyncConnection, run_id: UUID, events: Sequence[RunEvent], commands: Sequence[Message], *, last_seq: int
) -> int:
    """Number the events from `last_seq` + 1 on, add them to the log, and put events and commands into the outbox.

    Return the number of the last event, which the caller has to save with the run. The caller must have locked the
    run's row, so that the numbers follow the order of the commits.
    """
    numbered = [event.model_copy(update={"run_seq": last_seq + place}) for place, event in enumerate(events, start=1)]
    messages = [*numbered, *commands]
    if messages:
        parameters = {
            "run_id": run_id,
            "seqs": [event.run_seq for event in numbered],
            "ats": [event.at for event in numbered],
            "item_ids": [getattr(event, "item_id", None) for event in numbered],
        }
        bodies = [encode(message) for message in messages]
        await connection.execute(_PUBLISH, parameters | values_of(messages, bodies))
    return last_seq + len(numbered)


async def publish_first(connection: AsyncConnection, run_id: UUID, events: Sequence[RunEvent]) -> None:
    """Publish the first events of a new run, in the transaction that creates the run. Save the number of the last event
    with the run."""
    last_seq = await publish(connection, run_id, events, [], last_seq=0)
    await connection.execute(update(t.run).where(t.run.c.id == run_id).values(last_seq=last_seq))
