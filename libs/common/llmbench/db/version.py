"""The schema version that a database has: services refuse to start on another than theirs.

By asyncpg alone, as what asks for the key is (`llmbench.db.key`): SQLAlchemy is 26 MB of a process that needs it for
nothing else.
"""

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import asyncpg

from llmbench.db.away import SERVER_AWAY
from llmbench.db.history import head
from llmbench.errors import WrongSchemaVersion
from llmbench.settings import DatabaseSettings

if TYPE_CHECKING:
    # Generic in the stubs alone.
    Connection = asyncpg.Connection[asyncpg.Record]


@asynccontextmanager
async def connected(database_url: str, *, application_name: str) -> AsyncIterator["Connection"]:
    """For a few questions. Raises one of `SERVER_AWAY`."""
    settings = {"application_name": application_name, "timezone": "UTC"}
    connection: Connection = await asyncpg.connect(
        database_url, timeout=10, command_timeout=60, server_settings=settings, statement_cache_size=0
    )
    try:
        yield connection
    finally:
        await connection.close(timeout=5)


async def current(database_url: str) -> str | None:
    """The version the database is at; `None` when it was never migrated."""
    async with connected(database_url, application_name="version") as connection:
        return await _version(connection)


async def preflight(settings: DatabaseSettings, service: str) -> None:
    """Before a service starts. Raises `WrongSchemaVersion`; a database that does not answer is the
    service's own to wait for."""
    with contextlib.suppress(*SERVER_AWAY):
        async with connected(settings.database_url, application_name=service) as connection:
            await require_head(connection)


async def require_head(connection: "Connection") -> None:
    """Raises `WrongSchemaVersion` unless the database is at the version of this code."""
    found = await _version(connection)
    if found != head():
        raise WrongSchemaVersion(found=found, wanted=head())


async def _version(connection: "Connection") -> str | None:
    if not await connection.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL"):
        return None
    version: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return version
