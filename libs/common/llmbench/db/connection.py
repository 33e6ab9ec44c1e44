"""Open a single asyncpg connection for a few queries, and name the errors of an unreachable database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import asyncpg

from llmbench.errors import DatabaseUnavailable

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic only in the type stubs.
    Connection = asyncpg.Connection[asyncpg.Record]

ASYNCPG_AWAY = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    # asyncpg raises this when the connection breaks between two steps of one query.
    asyncpg.InternalClientError,
)

CHECK_TIMEOUT_S = 4.0
"""The time limit of a database check, in seconds. It is less than the 5 s for which the supervisor waits for an answer
of `/health/ready`."""


@asynccontextmanager
async def checking(unavailable: tuple[type[Exception], ...] = ASYNCPG_AWAY) -> AsyncIterator[None]:
    """Limit the time of a database check in the `async with` block.

    Raises `DatabaseUnavailable` after `CHECK_TIMEOUT_S`, or when the block raises one of the errors `unavailable`.
    """
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_S):
            yield
    except unavailable as error:
        raise DatabaseUnavailable(error) from error


@asynccontextmanager
async def connected(database_url: str, *, application_name: str) -> AsyncIterator["Connection"]:
    """Open a connection and close it at the end of the block. Raises one of `ASYNCPG_AWAY` if the database cannot be
    reached."""
    settings = {"application_name": application_name, "timezone": "UTC"}
    connection: Connection = await asyncpg.connect(
        database_url, timeout=10, command_timeout=60, server_settings=settings, statement_cache_size=0
    )
    try:
        yield connection
    except asyncio.CancelledError:
        # Closing would wait for a server that may not answer.
        connection.terminate()
        raise
    finally:
        await connection.close(timeout=5)
