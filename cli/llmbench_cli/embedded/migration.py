"""Ensure that the services' database exists and has this code's schema.

Migrations run in a process of their own, because their imports would stay in the supervisor's memory as long as the
stack runs.
"""

import asyncio
import sys
import time
from pathlib import Path

import asyncpg

from llmbench.db.history import head
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.keeper import Reporter
from llmbench_cli.embedded.logs import last_messages
from llmbench_cli.embedded.services import python_environment


async def create_database(url: str, name: str) -> None:
    """Create the database if it is missing. `name` is a constant of this code, not a user's text."""
    connection = await asyncpg.connect(url)
    try:
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name):
            await connection.execute(f'CREATE DATABASE "{name}"')
    finally:
        await connection.close()


async def migrate(database_url: str, *, log: Path, report: Reporter) -> None:
    """Migrate the schema to this code's version. Raises StartError if the database cannot be reached or migrated. `log`
    gets the output of the migration."""
    began = time.monotonic()
    report.starting("migrations")
    if not await _is_current(database_url):
        await _run_migrations(database_url, log)
    report.ready("migrations", time.monotonic() - began)


async def _is_current(database_url: str) -> bool:
    """Return whether the schema is current, without starting a process, which would take a second.

    A wrong answer does no harm: the services check the version themselves.
    """
    try:
        connection = await asyncpg.connect(database_url, timeout=10)
    except (OSError, TimeoutError, asyncpg.PostgresError) as refused:
        raise StartError(f"the database cannot be reached: {refused}") from refused
    try:
        rows = await connection.fetch("SELECT version_num FROM alembic_version")
    except asyncpg.UndefinedTableError:
        return False
    finally:
        await connection.close()
    return [row["version_num"] for row in rows] == [head()]


async def _run_migrations(database_url: str, log: Path) -> None:
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "llmbench_cli.main",
            "migrate",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            env=python_environment({"LLMBENCH_DATABASE_URL": database_url}),
            start_new_session=True,
        )
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            # A migration is one transaction, so killing it leaves the schema unchanged.
            process.kill()
            await process.wait()
            raise
    if code != 0:
        raise StartError(f"the database could not be migrated: {last_messages(log)}", log=log)
