"""The transactional outbox: a message is written in the caller's transaction, and published after the commit.

`put` writes rows and a NOTIFY inside the caller's transaction. `Relay` publishes each row with its UUID as message id,
then deletes the row. An advisory lock lets only one relay at a time publish a table, so that several replicas of a
service keep the order of messages.

After a crash between publishing and deleting, the message is published again. JetStream's de-duplication, or the
reader, drops the second copy.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, cast
from uuid import UUID

import asyncpg
from nats.errors import Error as NatsError
from nats.js.api import PubAck
from nats.js.errors import Error as JetStreamError
from sqlalchemy import LargeBinary, Table, Text, TextClause, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.base import Message
from llmbench.db.connection import session_settings
from llmbench.db.engine import DATABASE_AWAY
from llmbench.ids import new_id
from llmbench.messaging.broker import PUBLISH_TIMEOUT_S
from llmbench.messaging.publish import StreamPublisher, encode, headers
from llmbench.observability.metrics import OUTBOX_OLDEST_SECONDS, OUTBOX_PUBLISHED
from llmbench.observability.telemetry import current_traceparent
from llmbench.room import DATABASE_ROOM, is_disk_full

_log = logging.getLogger(__name__)

BATCH = 200
FALLBACK_POLL_S = 1.0
"""The interval of polling, in case a notification is lost with its connection."""


async def put(connection: AsyncConnection, outbox: Table, messages: Sequence[Message]) -> None:
    """Write `messages` in this order into the table `outbox`, in the caller's transaction.

    Raises `MessageTooLarge` if one is too large; nothing is written then.
    """
    if messages:
        await connection.execute(_putting(outbox), values_of(messages, [encode(message) for message in messages]))


def putting(outbox: Table, *, besides: str = "") -> str:
    """Return the SQL that `put` executes, for callers that combine it with other writes in one round trip.

    `besides` is SQL with the other writes: common table expressions, each `name AS (…),` with a comma at its end.
    The constant `VALUES` of this module declares the parameters of the returned SQL, and the function `values_of`
    returns their values.
    """
    return f"""
        WITH {besides} put AS (
            INSERT INTO {outbox.name} (id, subject, type, body, traceparent)
            SELECT id, subject, type, body, :traceparent
            FROM unnest(:ids, :subjects, :types, :bodies) WITH ORDINALITY AS told (id, subject, type, body, place)
            ORDER BY place
        )
        SELECT pg_notify('{outbox.name}', '')
    """  # noqa: S608  # names of tables


VALUES: Final = (
    bindparam("traceparent", type_=Text),
    bindparam("ids", type_=ARRAY(Uuid)),
    bindparam("subjects", type_=ARRAY(Text)),
    bindparam("types", type_=ARRAY(Text)),
    bindparam("bodies", type_=ARRAY(LargeBinary)),
)


def values_of(messages: Sequence[Message], bodies: Sequence[bytes]) -> dict[str, Any]:
    return {
        "traceparent": current_traceparent(),
        "ids": [new_id() for _ in messages],
        "subjects": [message.subject() for message in messages],
        "types": [message.type for message in messages],
        "bodies": bodies,
    }


@cache
def _putting(outbox: Table) -> TextClause:
    return text(putting(outbox)).bindparams(*VALUES)


class Relay:
    """Publishes the messages in one outbox table, whatever organisation they belong to.

    The login in `database_url` has to see the rows of all organisations.
    """

    def __init__(self, database_url: str, streams: StreamPublisher, outbox: Table, *, service: str) -> None:
        self._database_url = database_url
        self._streams = streams
        self._outbox = outbox.name
        self._service = service
        self._wake = asyncio.Event()
        self._oldest: datetime | None = None
        OUTBOX_OLDEST_SECONDS.labels(outbox.name).set_function(self._oldest_s)

    async def run(self) -> None:
        """Publish the table's messages until the task is cancelled. After an error of PostgreSQL or NATS, wait a second
        and try again."""
        while True:
            _heed_cancellation()
            try:
                await self._relay_until_disconnected()
            except (*DATABASE_AWAY, NatsError, JetStreamError) as error:
                if is_disk_full(error):
                    DATABASE_ROOM.lacked()
                _log.warning("relay of %s interrupted (%r); going on in a second", self._outbox, error)
                await asyncio.sleep(FALLBACK_POLL_S)

    async def _relay_until_disconnected(self) -> None:
        settings = session_settings(f"{self._service} relay", everybody=True)
        connection = await asyncpg.connect(self._database_url, timeout=10, server_settings=settings)
        try:
            await connection.add_listener(self._outbox, self._notified)
            await self._become_the_only_relay(connection)
            while True:
                _heed_cancellation()
                self._wake.clear()
                while await self._publish_batch(connection) == BATCH:
                    continue
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), FALLBACK_POLL_S)
        finally:
            connection.terminate()

    async def _become_the_only_relay(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        await connection.execute(
            "SELECT pg_advisory_lock(hashtextextended($1, 0))", f"relay:{self._outbox}", timeout=None
        )

    async def _publish_batch(self, connection: "asyncpg.Connection[asyncpg.Record]") -> int:
        rows = await connection.fetch(f"SELECT * FROM {self._outbox} ORDER BY seq LIMIT {BATCH}")  # noqa: S608
        self._oldest = rows[0]["created_at"] if rows else None
        if not rows:
            return 0
        published: list[int] = []
        try:
            await self._publish_in_one_go([row for row in rows if not _is_config(row)], published)
            await self._publish_one_by_one([row for row in rows if _is_config(row)], published)
        finally:
            await connection.execute(f"DELETE FROM {self._outbox} WHERE seq = ANY($1)", published)  # noqa: S608
            OUTBOX_PUBLISHED.labels(self._outbox).inc(len(published))
        self._oldest = None
        return len(rows)

    async def _publish_one_by_one(self, rows: Sequence[asyncpg.Record], published: list[int]) -> None:
        """Publish each row only after the one before is acknowledged, so that no message overtakes a failed one. Append
        the `seq` of each acknowledged row to `published`."""
        for row in rows:
            await self._publish_in_one_go([row], published)

    async def _publish_in_one_go(self, rows: Sequence[asyncpg.Record], published: list[int]) -> None:
        """Publish all rows, then await all acknowledgements, which costs a third of publishing one by one. Append the
        `seq` of each acknowledged row to `published`.

        If the connection breaks, all rows after that point fail, so the order is kept. A message that the stream
        refuses is overtaken by later ones. That is harmless: a run's events are numbered, and commands to call a model
        do not depend on earlier ones.
        """
        sent: list[asyncio.Future[PubAck]] = []
        try:
            async with asyncio.timeout(PUBLISH_TIMEOUT_S):
                for row in rows:
                    sent.append(await self._publish(row))  # If this fails, the rows before it were sent.
                await asyncio.gather(*sent, return_exceptions=True)
        finally:
            for row, future in zip(rows, sent, strict=False):
                if not future.done():
                    future.cancel()
                elif not future.cancelled() and future.exception() is None:
                    published.append(row["seq"])
        for future in sent:
            future.result()

    async def _publish(self, row: asyncpg.Record) -> "asyncio.Future[PubAck]":
        return await self._streams.publish_async(
            row["subject"],
            row["body"],
            headers=headers(
                service=self._service,
                type_=row["type"],
                message_id=cast("UUID", row["id"]),
                at=cast("datetime", row["created_at"]),
                traceparent=row["traceparent"],
                org_id=cast("UUID", row["org_id"]),
                person_id=cast("UUID | None", row["person_id"]),
            ),
        )

    def _oldest_s(self) -> float:
        return 0.0 if self._oldest is None else (datetime.now(UTC) - self._oldest).total_seconds()

    def _notified(self, *_: Any) -> None:
        self._wake.set()


def _is_config(row: asyncpg.Record) -> bool:
    """Return whether the message is about the configuration.

    The order of such messages matters: a deleted object must not reappear through an older message.
    """
    subject: str = row["subject"]
    return subject.startswith("evt.config.")


def _heed_cancellation() -> None:
    """Raise the cancellation that Python 3.11's `wait_for` may have dropped.

    nats-py uses `wait_for` for every request, and a cancellation that arrives together with the result is lost
    (python/cpython#86296). Without this check, the service would not end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
