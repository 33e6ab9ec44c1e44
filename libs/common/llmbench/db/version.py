"""The schema version that a database has: services refuse to start on another than theirs."""

import contextlib

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from llmbench.db.engine import DATABASE_AWAY, open_engine, sqlalchemy_url
from llmbench.db.history import head
from llmbench.errors import WrongSchemaVersion
from llmbench.settings import DatabaseSettings


async def current(database_url: str) -> str | None:
    """The version the database is at; `None` when it was never migrated."""
    engine = create_async_engine(sqlalchemy_url(database_url), poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            return await _version(connection)
    finally:
        await engine.dispose()


async def preflight(settings: DatabaseSettings, service: str) -> None:
    """Before a service starts. Raises `WrongSchemaVersion`; a database that does not answer is the
    service's own to wait for."""
    async with open_engine(settings.database_url, application_name=service) as engine:
        with contextlib.suppress(*DATABASE_AWAY):
            await require_head(engine)


async def require_head(engine: AsyncEngine) -> None:
    """Raises `WrongSchemaVersion` unless the database is at the version of this code."""
    async with engine.connect() as connection:
        found = await _version(connection)
    if found != head():
        raise WrongSchemaVersion(found=found, wanted=head())


async def _version(connection: AsyncConnection) -> str | None:
    if not await connection.scalar(text("SELECT to_regclass('alembic_version') IS NOT NULL")):
        return None
    version: str | None = await connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version
