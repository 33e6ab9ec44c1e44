"""One connection by asyncpg alone, for a few questions, and what a database raises that is away, going or coming."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import asyncpg

if TYPE_CHECKING:
    # Generic in the stubs alone.
    Connection = asyncpg.Connection[asyncpg.Record]

ASYNCPG_AWAY = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    # A connection that breaks between two steps of one query.
    asyncpg.InternalClientError,
)


@asynccontextmanager
async def connected(database_url: str, *, application_name: str) -> AsyncIterator["Connection"]:
    """Raises one of `ASYNCPG_AWAY`."""
    settings = {"application_name": application_name, "timezone": "UTC"}
    connection: Connection = await asyncpg.connect(
        database_url, timeout=10, command_timeout=60, server_settings=settings, statement_cache_size=0
    )
    try:
        yield connection
    finally:
        await connection.close(timeout=5)
