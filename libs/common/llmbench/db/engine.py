"""Open the connection pool: SQLAlchemy Core over asyncpg."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from pydantic_core import from_json, to_json
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from llmbench.db.connection import ASYNCPG_AWAY, BoundConnection, session_settings
from llmbench.room import DATABASE_ROOM, is_disk_full

DATABASE_AWAY = (*ASYNCPG_AWAY, SQLAlchemyError)
"""The errors that may mean an unreachable database. SQLAlchemy passes some of asyncpg's through."""

RECYCLE_S = 120
"""Seconds after which a pooled connection is replaced, at a cost of 10 ms.

A server process of PostgreSQL keeps the memory of its largest statement: 40 MB after a run of 100,000 items was
created.
"""


def make_engine(database_url: str, *, connect: Mapping[str, Any], **options: Any) -> AsyncEngine:
    """Return an engine with SQLAlchemy's `options`, whose connections asyncpg opens with the options `connect`.

    asyncpg reads the URL itself, because SQLAlchemy does not know PostgreSQL's parameters such as `sslmode`. Raises
    `ValueError` for a URL that is not PostgreSQL's.
    """
    scheme, separator, rest = database_url.partition("://")
    if not separator or scheme.split("+")[0] not in {"postgresql", "postgres"}:
        raise ValueError("the database URL must start with postgresql://")

    async def opened() -> "asyncpg.Connection[asyncpg.Record]":
        return await asyncpg.connect(f"postgresql://{rest}", **connect)

    return create_async_engine("postgresql+asyncpg://", async_creator=opened, **options)


def _dumps(value: object) -> str:
    return to_json(value).decode()


def _require_open(connection: DBAPIConnection, *_: object) -> None:
    """Make the pool replace a connection that the server has closed. The check needs no round trip."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _note_room(context: ExceptionContext) -> None:
    if is_disk_full(context.original_exception):
        DATABASE_ROOM.lacked()


@asynccontextmanager
async def open_engine(
    database_url: str,
    *,
    application_name: str,
    pool_size: int = 5,
    command_timeout_s: float = 60,
    everybody: bool = False,
    planner: Mapping[str, str] | None = None,
) -> AsyncIterator[AsyncEngine]:
    """Open a pool of at most `pool_size` connections, and close it at the end of the block.

    The pool connects on first use.

    A transaction sees only the rows of the organisation that its task works for (`llmbench.organisation`). With
    `everybody`, a pool whose login owns the tables sees the rows of all organisations. A statement fails after
    `command_timeout_s`. `planner` maps names of settings of PostgreSQL's planner to their values in all sessions.
    """
    engine = make_engine(
        database_url,
        pool_size=pool_size,
        max_overflow=0,
        pool_recycle=RECYCLE_S,
        # Error messages are logged, so they must not contain parameters such as prompts and header values.
        hide_parameters=True,
        json_serializer=_dumps,
        json_deserializer=from_json,
        connect={
            "connection_class": BoundConnection,
            "server_settings": session_settings(application_name, everybody=everybody) | dict(planner or {}),
            "timeout": 10,
            "command_timeout": command_timeout_s,
        },
    )
    event.listen(engine.sync_engine, "checkout", _require_open)
    event.listen(engine.sync_engine, "handle_error", _note_room)
    try:
        yield engine
    finally:
        await engine.dispose()


@asynccontextmanager
async def driver(engine: AsyncEngine) -> "AsyncIterator[asyncpg.Connection[asyncpg.Record]]":
    """Take a connection from the pool, and yield its asyncpg connection. If the block is cancelled, the connection is
    closed, because a query may still be running on it."""
    async with engine.connect() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert isinstance(raw, asyncpg.Connection)
        try:
            yield raw
        except asyncio.CancelledError:
            # A query may still be running. The pool does not know this, and the next user of the connection would have
            # to wait for the query to end.
            raw.terminate()
            raise
