"""Load the rows of a backup in one transaction, into a schema that this code's migrations create."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import asyncpg
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from llmbench.db.engine import make_engine
from llmbench.db.migrate import UNHURRIED, lock_migrations, upgrade_within
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.rows import SequencePlace, TableData, script

_VERSION: Final = "alembic_version"
# This role exists only within the transaction, and may only insert rows into llmbench's tables.
_LOADER: Final = "llmbench_loader"
_DROP_TABLES: Final = """
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DROP TABLE public.%I CASCADE', name);
  END LOOP;
END $$
"""
_COLUMNS: Final = """
    SELECT table_name, array_agg(CAST(column_name AS text)) AS columns FROM information_schema.columns
    WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY table_name
"""
_SECURED: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND rowsecurity"
_SEQUENCES: Final = "SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'"
_FOREIGN_KEYS: Final = """
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS dropping,
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
               AS adding
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conname
"""


async def load(url: str, rows: Path, *, version: str, name: Path, before_commit: Callable[[], Awaitable[None]]) -> None:
    """Replace the database's content with the dump `rows` of a backup, and migrate it to this code's schema.

    `version` is the schema version of the dump, and `name` names the backup in error messages. Every table of the
    schema `public` is dropped first. `before_commit` is awaited at the end; an exception from it rolls everything back.
    Raises StartError if the dump does not fit the schema, or has content that no backup has.
    """
    engine = make_engine(url, poolclass=NullPool, connect=UNHURRIED)
    try:
        async with engine.begin() as connection:
            await lock_migrations(connection)
            await connection.execute(text(_DROP_TABLES))
            await upgrade_within(connection, version)
            raw = (await connection.get_raw_connection()).driver_connection
            assert isinstance(raw, asyncpg.Connection)
            await _fill(raw, rows, name=name)
            await upgrade_within(connection, "head")
            await before_commit()
    except (asyncpg.PostgresError, DBAPIError) as refused:
        reason = str(refused.orig if isinstance(refused, DBAPIError) else refused).partition("\n")[0]
        raise StartError(f"{name} does not fit the schema {version}: {reason}; nothing was restored") from refused
    finally:
        await engine.dispose()


async def _fill(raw: Any, rows: Path, *, name: Path) -> None:
    columns = {row["table_name"]: set(row["columns"]) for row in await raw.fetch(_COLUMNS)}
    sequences = {row["sequencename"] for row in await raw.fetch(_SEQUENCES)}
    keys = await raw.fetch(_FOREIGN_KEYS)
    for key in keys:
        await raw.execute(key["dropping"])
    tables = sorted(columns.keys() - {_VERSION})
    # Migrations insert rows as well, such as the default organisation.
    await raw.execute(f"TRUNCATE {', '.join(tables)}")
    # COPY is not possible under row-level security. The transaction has created the tables, so no other
    # session can see them.
    secured = [row["tablename"] for row in await raw.fetch(_SECURED)]
    for table in secured:
        await raw.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    is_superuser = await raw.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    if is_superuser:
        await raw.execute(f"CREATE ROLE {_LOADER} NOLOGIN")
        await raw.execute(f"GRANT INSERT ON {', '.join(tables)} TO {_LOADER}")
        await raw.execute(f"SET LOCAL ROLE {_LOADER}")
    filled: set[str] = set()
    places: list[SequencePlace] = []
    async with script(rows, name=name) as contents:
        async for entry in contents.entries():
            if isinstance(entry, SequencePlace):
                places.append(entry)
            elif entry.table != _VERSION:
                _require_known(entry, columns, filled, name)
                filled.add(entry.table)
                await raw.copy_to_table(
                    entry.table, schema_name="public", columns=entry.columns, source=entry.blocks, format="text"
                )
    if is_superuser:
        await raw.execute("RESET ROLE")
        await raw.execute(f"DROP OWNED BY {_LOADER}")
        await raw.execute(f"DROP ROLE {_LOADER}")
    for table in secured:
        await raw.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    if missing := sorted(set(tables) - filled):
        raise StartError(f"{name} lacks the table {missing[0]!r}: it is incomplete; nothing was restored")
    for place in places:
        if place.sequence not in sequences:
            raise StartError(
                f"{name} names the sequence {place.sequence!r}, which llmbench does not have; nothing was restored"
            )
        await raw.execute(
            "SELECT setval(format('public.%I', $1::text)::regclass, $2, $3)",
            place.sequence,
            place.value,
            place.is_called,
        )
    # Adding the constraints again checks that every reference points to an existing row.
    for key in keys:
        await raw.execute(key["adding"])


def _require_known(entry: TableData, columns: dict[str, set[str]], filled: set[str], name: Path) -> None:
    known = columns.get(entry.table)
    if known is None:
        raise StartError(f"{name} holds the table {entry.table!r}, which llmbench does not have; nothing was restored")
    if entry.table in filled:
        raise StartError(f"{name} holds the table {entry.table!r} twice; nothing was restored")
    if unknown := [column for column in entry.columns if column not in known]:
        raise StartError(
            f"{name} has a column {unknown[0]!r} of the table {entry.table!r}, which llmbench does not have; "
            f"nothing was restored"
        )
