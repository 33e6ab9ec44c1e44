"""Test that a migration that is killed half-way leaves nothing behind, and is repeated from its beginning."""

import asyncio
import sys

import asyncpg
import pytest
from sqlalchemy.pool import NullPool

from llmbench.db.engine import make_engine
from llmbench.db.history import head
from llmbench.db.migrate import upgrade, upgrade_within
from llmbench.db.version import current

pytestmark = pytest.mark.never_rerun

BEFORE = "0024"
_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'webhook'::regclass"
_MIGRATE = "import asyncio, sys; from llmbench.db.migrate import upgrade; asyncio.run(upgrade(sys.argv[1]))"


async def test_killed_migration_leaves_the_previous_version_and_is_repeated(empty_postgres_url: str) -> None:
    await _migrate_to(empty_postgres_url, BEFORE)
    connection = await asyncpg.connect(empty_postgres_url)
    try:
        # The last table that migration 0025 changes: the migration waits there, with all others changed.
        async with connection.transaction():
            await connection.execute("LOCK TABLE webhook IN ACCESS SHARE MODE")
            migrating = await asyncio.create_subprocess_exec(sys.executable, "-c", _MIGRATE, empty_postgres_url)
            try:
                async with asyncio.timeout(240):
                    while not await connection.fetchval(_WAITING):
                        await asyncio.sleep(0.05)
            finally:
                migrating.kill()
                await migrating.wait()
        assert await current(empty_postgres_url) == BEFORE
        assert not await _is_owned(connection, "item")
        await upgrade(empty_postgres_url)
        assert await current(empty_postgres_url) == head()
        assert await _is_owned(connection, "item")
    finally:
        await connection.close()


async def _is_owned(connection: "asyncpg.Connection[asyncpg.Record]", table: str) -> bool:
    column = "SELECT count(*) FROM information_schema.columns WHERE table_name = $1 AND column_name = 'org_id'"
    return bool(await connection.fetchval(column, table))


async def _migrate_to(database_url: str, revision: str) -> None:
    engine = make_engine(database_url, connect={}, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            await upgrade_within(connection, revision)
    finally:
        await engine.dispose()
