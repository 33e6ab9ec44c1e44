"""The schema version that a database has: services refuse to start on another than theirs.

By asyncpg alone, as what asks for the key is (`llmbench.db.key`): SQLAlchemy is 26 MB of a process that needs it for
nothing else.
"""

import contextlib
from typing import TYPE_CHECKING

import asyncpg

from llmbench.db.connection import ASYNCPG_AWAY, connected
from llmbench.db.history import head
from llmbench.errors import WrongSchemaVersion
from llmbench.settings import DatabaseSettings

if TYPE_CHECKING:
    # Generic in the stubs alone.
    Connection = asyncpg.Connection[asyncpg.Record]


async def current(database_url: str) -> str | None:
    """The version the database is at; `None` when it was never migrated."""
    async with connected(database_url, application_name="version") as connection:
        return await _version(connection)


async def preflight(settings: DatabaseSettings, service: str) -> None:
    """Before a service starts. Raises `WrongSchemaVersion`; a database that does not answer is the
    service's own to wait for."""
    with contextlib.suppress(*ASYNCPG_AWAY):
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
