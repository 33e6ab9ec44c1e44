"""Run the migrations of the database schema, one process at a time."""

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import NullPool

from llmbench.db.engine import make_engine
from llmbench.db.history import MIGRATIONS

_LOCK = 7_214_601_337  # The advisory lock that every migrating process takes; the number is arbitrary.

UNHURRIED = {"timeout": 10, "server_settings": {"application_name": "llmbench migrate", "statement_timeout": "0"}}
"""asyncpg's options for migrations: no statement timeout, because large tables may be rewritten."""


def config(connection: Connection | None = None) -> Config:
    alembic = Config()
    alembic.set_main_option("script_location", str(MIGRATIONS))
    alembic.attributes["connection"] = connection
    return alembic


def is_known(revision: str) -> bool:
    """Return whether the migrations include this revision, so that `upgrade` can start from it."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(config()).walk_revisions())


async def upgrade(database_url: str) -> None:
    """Migrate the schema of the database to the version that this code expects (`history.head`).

    Several processes may call this at once: one migrates, the others wait and then find nothing to do.
    """
    engine = make_engine(database_url, poolclass=NullPool, connect=UNHURRIED)
    try:
        async with engine.connect() as lock, engine.connect() as connection:
            await lock.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
            await upgrade_within(connection, "head")
            await connection.commit()
    finally:
        await engine.dispose()


async def upgrade_within(connection: AsyncConnection, revision: str) -> None:
    """Migrate the schema to `revision` within the connection's transaction, which the caller commits. Take no lock."""
    await connection.run_sync(lambda sync: command.upgrade(config(sync), revision))


async def lock_migrations(connection: AsyncConnection) -> None:
    """Wait for the lock on migrations, and hold it until the end of the transaction."""
    await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
