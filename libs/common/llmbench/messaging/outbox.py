"""The outbox: messages that a transaction made true, published after it committed.

`put` writes rows and a NOTIFY inside the caller's transaction; `Relay` publishes them with the row's UUID
as message id and deletes them: in order within a run, a lane and the configuration.
A crash between the two publishes again, and JetStream's de-duplication (or the reader's) drops the second
copy. One relay at a time publishes a table (advisory lock), so that the order holds with several replicas.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

import asyncpg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import Error as JetStreamError
from sqlalchemy import Table, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.base import Message
from llmbench.db.engine import DATABASE_AWAY
from llmbench.ids import new_id
from llmbench.messaging.broker import PUBLISH_TIMEOUT_S
from llmbench.messaging.publish import encode, headers
from llmbench.metrics import OUTBOX_OLDEST_SECONDS, OUTBOX_PUBLISHED
from llmbench.telemetry import current_traceparent

_log = logging.getLogger(__name__)

BATCH = 200
FALLBACK_POLL_S = 1.0
"""A notification can be lost with its connection; this bounds how long a row then waits."""


async def put(connection: AsyncConnection, outbox: Table, messages: Sequence[Message]) -> None:
    """Write `messages` in order into `outbox`, in the caller's transaction.

    Raises `MessageTooLarge` before anything is written.
    """
    if not messages:
        return
    traceparent = current_traceparent()
    rows = [
        {
            "id": new_id(),
            "subject": message.subject(),
            "type": message.type,
            "body": encode(message),
            "traceparent": traceparent,
        }
        for message in messages
    ]
    await connection.execute(insert(outbox), rows)
    await connection.execute(select(func.pg_notify(outbox.name, "")))


class Relay:
    """Publishes one outbox table, for as long as `run` runs."""

    def __init__(self, database_url: str, js: JetStreamContext, outbox: Table, *, service: str) -> None:
        self._database_url = database_url
        self._js = js
        self._outbox = outbox.name
        self._service = service
        self._wake = asyncio.Event()
        self._oldest: datetime | None = None
        OUTBOX_OLDEST_SECONDS.labels(outbox.name).set_function(self._oldest_s)

    async def run(self) -> None:
        """Never returns; reconnects to both servers as often as it takes."""
        while True:
            _heed_cancellation()
            try:
                await self._relay_until_disconnected()
            except (*DATABASE_AWAY, NatsError, JetStreamError) as error:
                _log.warning("relay of %s interrupted (%r); going on in a second", self._outbox, error)
                await asyncio.sleep(FALLBACK_POLL_S)

    async def _relay_until_disconnected(self) -> None:
        connection = await asyncpg.connect(self._database_url, timeout=10)
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
        results = await asyncio.gather(
            *(self._publish_in_order(ordered, published) for ordered in _by_order(rows)), return_exceptions=True
        )
        await connection.execute(f"DELETE FROM {self._outbox} WHERE seq = ANY($1)", published)  # noqa: S608
        OUTBOX_PUBLISHED.labels(self._outbox).inc(len(published))
        if len(published) == len(rows):
            self._oldest = None
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return len(rows)

    async def _publish_in_order(self, rows: Sequence[asyncpg.Record], published: list[int]) -> None:
        if _is_config(rows[0]["subject"]):
            await self._publish_one_by_one(rows, published)
        else:
            await self._publish_in_one_go(rows, published)

    async def _publish_one_by_one(self, rows: Sequence[asyncpg.Record], published: list[int]) -> None:
        """Each acknowledged before the next: what fails is overtaken by nothing that belongs behind it."""
        for row in rows:
            await self._publish(row)
            published.append(row["seq"])

    async def _publish_in_one_go(self, rows: Sequence[asyncpg.Record], published: list[int]) -> None:
        """One behind another over the one connection, and acknowledged in the end: a third of the work.

        A connection that breaks cuts off the end of them. Only what the stream itself refuses is overtaken by the
        others: a run's events are numbered, and a lane's commands wait for nothing that lies before them.
        """
        ends = await asyncio.gather(*(self._publish(row) for row in rows), return_exceptions=True)
        published += [row["seq"] for row, end in zip(rows, ends, strict=True) if end is None]
        for end in ends:
            if end is not None:
                raise end

    async def _publish(self, row: asyncpg.Record) -> None:
        await self._js.publish(
            row["subject"],
            row["body"],
            timeout=PUBLISH_TIMEOUT_S,
            headers=headers(
                service=self._service,
                type_=row["type"],
                message_id=cast("UUID", row["id"]),
                at=cast("datetime", row["created_at"]),
                traceparent=row["traceparent"],
            ),
        )

    def _oldest_s(self) -> float:
        return 0.0 if self._oldest is None else (datetime.now(UTC) - self._oldest).total_seconds()

    def _notified(self, *_: Any) -> None:
        self._wake.set()


def _by_order(rows: Sequence[asyncpg.Record]) -> list[list[asyncpg.Record]]:
    """Rows whose order matters, together: those of a run, of a lane, of the configuration."""
    ordered: dict[str, list[asyncpg.Record]] = {}
    for row in rows:
        tokens = row["subject"].split(".")
        area = tokens[:2] if _is_config(row["subject"]) else tokens[:3]
        ordered.setdefault(".".join(area), []).append(row)
    return list(ordered.values())


def _is_config(subject: str) -> bool:
    return subject.startswith("evt.config.")


def _heed_cancellation() -> None:
    """Python 3.11's `wait_for`, which nats-py uses for every request, drops a cancellation that comes
    together with the result (python/cpython#86296): without this, the service would not end."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
