"""One migration history, run once, under a lock; services refuse to start on another version."""

import contextlib
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from llmbench.db.engine import DATABASE_AWAY, open_engine, sqlalchemy_url
from llmbench.errors import WrongSchemaVersion
from llmbench.settings import DatabaseSettings

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 7_214_601_337  # any constant will do: whoever migrates takes this advisory lock


def config(connection: Connection | None = None) -> Config:
    alembic = Config()
    alembic.set_main_option("script_location", str(MIGRATIONS))
    alembic.attributes["connection"] = connection
    return alembic


def head() -> str:
    """The schema version this code is written for."""
    revision = ScriptDirectory.from_config(config()).get_current_head()
    assert revision is not None
    return revision


def is_known(revision: str) -> bool:
    """Whether the history has this version, so that `upgrade` can start from it."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(config()).walk_revisions())


async def upgrade(database_url: str) -> None:
    """Bring the schema to `head()`. Safe to call from several processes at once: one does it, the
    others wait and then find nothing to do."""
    engine = create_async_engine(sqlalchemy_url(database_url), poolclass=NullPool)
    try:
        async with engine.connect() as lock, engine.connect() as connection:
            await lock.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
            await connection.run_sync(lambda sync: command.upgrade(config(sync), "head"))
            await connection.commit()
    finally:
        await engine.dispose()


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
    return await connection.run_sync(lambda sync: MigrationContext.configure(sync).get_current_revision())
