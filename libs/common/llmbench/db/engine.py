"""The connection pool: SQLAlchemy Core over asyncpg."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from pydantic_core import from_json, to_json
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from llmbench.db.connection import ASYNCPG_AWAY

DATABASE_AWAY = (*ASYNCPG_AWAY, SQLAlchemyError)
"""What a database that is away, going or coming raises through SQLAlchemy, which passes some of asyncpg's through."""

RECYCLE_S = 120
"""What PostgreSQL's process of a connection once took for a large statement it may keep: 40 MB after a run of 100,000
items was made. So another connection takes its place now and then, which costs 10 ms."""


def sqlalchemy_url(database_url: str) -> str:
    """`postgresql://…` as users and tools write it, with the driver SQLAlchemy needs."""
    scheme, separator, rest = database_url.partition("://")
    if not separator or scheme.split("+")[0] not in {"postgresql", "postgres"}:
        raise ValueError("the database URL must start with postgresql://")
    return f"postgresql+asyncpg://{rest}"


def _dumps(value: object) -> str:
    return to_json(value).decode()


def _require_open(connection: DBAPIConnection, *_: object) -> None:
    """Another one is opened in its stead. A server that ends its connections is heard of at once, without asking."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


@asynccontextmanager
async def open_engine(database_url: str, *, application_name: str, pool_size: int = 5) -> AsyncIterator[AsyncEngine]:
    """A pool of at most `pool_size` connections, closed on exit. Opens none before the first use."""
    engine = create_async_engine(
        sqlalchemy_url(database_url),
        pool_size=pool_size,
        max_overflow=0,
        pool_recycle=RECYCLE_S,
        # Error messages end up in logs; prompts and header values must not.
        hide_parameters=True,
        json_serializer=_dumps,
        json_deserializer=from_json,
        connect_args={
            "server_settings": {"application_name": application_name, "timezone": "UTC"},
            "timeout": 10,
            "command_timeout": 60,
        },
    )
    event.listen(engine.sync_engine, "checkout", _require_open)
    try:
        yield engine
    finally:
        await engine.dispose()


@asynccontextmanager
async def driver(engine: AsyncEngine) -> "AsyncIterator[asyncpg.Connection[asyncpg.Record]]":
    """One of the pool's connections, as asyncpg has it."""
    async with engine.connect() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert isinstance(raw, asyncpg.Connection)
        try:
            yield raw
        except asyncio.CancelledError:
            # In the middle of a question the pool knows nothing of: its next user would wait for the answer.
            raw.terminate()
            raise
