"""One migration history, run once, under a lock; services refuse to start on another version."""

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from llmbench.db.engine import sqlalchemy_url
from llmbench.db.history import MIGRATIONS

_LOCK = 7_214_601_337  # any constant will do: whoever migrates takes this advisory lock


def config(connection: Connection | None = None) -> Config:
    alembic = Config()
    alembic.set_main_option("script_location", str(MIGRATIONS))
    alembic.attributes["connection"] = connection
    return alembic


def is_known(revision: str) -> bool:
    """Whether the history has this version, so that `upgrade` can start from it."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(config()).walk_revisions())


async def upgrade(database_url: str) -> None:
    """Bring the schema to `history.head()`. Safe to call from several processes at once: one does it, the
    others wait and then find nothing to do."""
    engine = create_async_engine(sqlalchemy_url(database_url), poolclass=NullPool)
    try:
        async with engine.connect() as lock, engine.connect() as connection:
            await lock.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
            await connection.run_sync(lambda sync: command.upgrade(config(sync), "head"))
            await connection.commit()
    finally:
        await engine.dispose()
