"""Check the schema version of a database. A service works only with the version that its code expects.

The version is read with asyncpg alone: some processes use the database for nothing else, and SQLAlchemy would cost them
26 MB.
"""

import contextlib
from typing import TYPE_CHECKING, Protocol

import asyncpg

from llmbench.db.connection import checking, connected
from llmbench.db.history import head
from llmbench.errors import DatabaseUnavailable, WrongSchemaVersion

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic only in the type stubs.
    Connection = asyncpg.Connection[asyncpg.Record]


class UsesDatabase(Protocol):
    """The setting that the check of the schema version reads: the database's URL."""

    @property
    def database_url(self) -> str: ...


async def current(database_url: str) -> str | None:
    """Return the schema version of the database; `None` when it was never migrated. Raises one of the errors in
    `ASYNCPG_AWAY` if the database cannot be reached."""
    async with connected(database_url, application_name="version") as connection:
        return await _version(connection)


async def preflight(settings: UsesDatabase, service: str) -> None:
    """Check the schema version before the service with the name `service` starts.

    Raises `WrongSchemaVersion` if the versions differ. An unreachable database is ignored here: the service itself
    waits for it.
    """
    with contextlib.suppress(DatabaseUnavailable):
        async with checking(), connected(settings.database_url, application_name=service) as connection:
            await require_head(connection)


async def require_head(connection: "Connection") -> None:
    """Raise `WrongSchemaVersion` unless the database has the schema version that this code expects."""
    version = await _version(connection)
    if version != head():
        raise WrongSchemaVersion(found=version, wanted=head())


async def _version(connection: "Connection") -> str | None:
    if not await connection.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL"):
        return None
    version: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return version
