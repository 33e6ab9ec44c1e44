"""Test that migrations and tables describe the same schema, and that migrations can run repeatedly."""

import asyncio
import uuid

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from llmbench.db.connection import connected
from llmbench.db.engine import make_engine, open_engine
from llmbench.db.history import head
from llmbench.db.migrate import config, upgrade
from llmbench.db.tables import metadata
from llmbench.db.version import current, require_head
from llmbench.errors import WrongSchemaVersion
from llmbench.ids import DEFAULT_ORG_ID


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


@pytest.mark.shows("I-30")
async def test_migrated_schema_equals_the_table_definitions(postgres_url: str) -> None:
    async with open_engine(postgres_url, application_name="test") as engine, engine.connect() as connection:
        assert await connection.run_sync(_differences) == []


CHECKS = """
    SELECT conrelid::regclass::text || '.' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace ORDER BY 1
"""


async def test_migrated_check_constraints_equal_the_table_definitions(
    postgres_url: str, empty_postgres_url: str
) -> None:
    """PostgreSQL must describe the CHECK constraints of both schemas identically. Alembic does not compare these
    constraints."""
    async with open_engine(empty_postgres_url, application_name="test") as engine, engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    assert await _column(postgres_url, CHECKS) == await _column(empty_postgres_url, CHECKS)


LARGELY_SAMPLED = """
    SELECT attrelid::regclass::text || '.' || attname FROM pg_attribute
    WHERE attrelid IN ('model_call'::regclass, 'run_event'::regclass) AND attnum > 0 AND NOT attisdropped
      AND attstattarget IS DISTINCT FROM 20
"""


async def test_tables_with_wide_rows_are_analysed_with_small_samples(postgres_url: str) -> None:
    """Every column of these tables must have a small statistics target. ANALYZE samples as many rows as the column with
    the largest target needs, so one new column could enlarge the sample."""
    assert await _column(postgres_url, LARGELY_SAMPLED) == []


def test_newest_revision_is_alembics_head() -> None:
    assert ScriptDirectory.from_config(config()).get_current_head() == head()


async def test_new_database_has_one_organisation(postgres_url: str) -> None:
    assert await _column(postgres_url, "SELECT id FROM organisation") == [DEFAULT_ORG_ID]


async def test_concurrent_migrations_succeed(empty_postgres_url: str) -> None:
    assert await current(empty_postgres_url) is None
    await asyncio.gather(*(upgrade(empty_postgres_url) for _ in range(3)))
    assert await current(empty_postgres_url) == head()
    await upgrade(empty_postgres_url)
    async with connected(empty_postgres_url, application_name="test") as connection:
        await require_head(connection)


@pytest.mark.shows("I-30")
async def test_other_schema_version_is_refused_with_what_to_do(empty_postgres_url: str) -> None:
    async with connected(empty_postgres_url, application_name="test") as connection:
        with pytest.raises(WrongSchemaVersion, match=r"at schema version none.*llmbench migrate"):
            await require_head(connection)
    await upgrade(empty_postgres_url)
    await _column(empty_postgres_url, "UPDATE alembic_version SET version_num = 'from the future' RETURNING 1")
    async with connected(empty_postgres_url, application_name="test") as connection:
        with pytest.raises(WrongSchemaVersion, match="from the future"):
            await require_head(connection)


@pytest.mark.parametrize("url", ["mysql://host/db", "postgresql", ""])
def test_other_database_system_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="postgresql://"):
        make_engine(url, connect={})


async def _column(url: str, query: str) -> list[object]:
    connection = await asyncpg.connect(url)
    try:
        return [row[0] for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def test_migrations_ignore_a_statement_timeout(empty_postgres_url: str) -> None:
    """The owner's login may have a statement timeout that is meant for services. Migrations have to ignore it."""
    database = empty_postgres_url.rpartition("/")[2].partition("?")[0]
    await _column(empty_postgres_url, f"ALTER DATABASE \"{database}\" SET statement_timeout = '1ms'")
    await upgrade(empty_postgres_url)
    unhurried = await asyncpg.connect(empty_postgres_url, server_settings={"statement_timeout": "0"})
    await unhurried.execute(f'ALTER DATABASE "{database}" RESET statement_timeout')
    await unhurried.close()
    assert await current(empty_postgres_url) == head()


async def test_owner_who_is_no_superuser_migrates_the_rows_of_organisations(empty_postgres_url: str) -> None:
    """Row-level security applies to such an owner, and hides the rows of organisations. The migrations must lift it,
    because they would otherwise change no row."""
    role, database = f"owner_{uuid.uuid4().hex}", empty_postgres_url.rpartition("/")[2]
    await _column(empty_postgres_url, f"CREATE ROLE {role} LOGIN PASSWORD 'only-for-tests'")
    await _column(empty_postgres_url, f'ALTER DATABASE "{database}" OWNER TO {role}')
    await _column(empty_postgres_url, f"ALTER SCHEMA public OWNER TO {role}")
    scheme, _, rest = empty_postgres_url.partition("://")
    await upgrade(f"{scheme}://{role}:only-for-tests@{rest.rpartition('@')[2]}")
    assert await _column(empty_postgres_url, "SELECT slug FROM organisation") == ["default"]
