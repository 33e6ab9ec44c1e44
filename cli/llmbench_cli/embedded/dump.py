"""Write and read backups: one file with a dump of PostgreSQL and the uploaded files.

The database and the uploaded files hold all state. NATS needs no backup: its content is rebuilt from the database. The
key that encrypts the providers' secrets is left out on purpose, so that the file alone does not reveal them.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from llmbench.db.everybody import SETTING
from llmbench_cli.embedded import archive
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.keeper import Keeper, Reporter
from llmbench_cli.embedded.leftovers import end_leftovers, living
from llmbench_cli.embedded.migration import create_database
from llmbench_cli.embedded.place import place, wheel_programs
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.postgres import Cluster, prepare
from llmbench_cli.embedded.reach import reach_database
from llmbench_cli.embedded.rows import TableData, require_known_kinds, script
from llmbench_cli.settings import CliSettings

DATABASE = "llmbench"
# Tables with data that a user made or paid for. They are empty in a migrated database that was never used.
_USER_TABLES = ("provider", "task", "collection", "dataset", "document", "evaluation_preset", "suite", "run")
_WITH_FILES = ("dataset_version", "document")
_IN_FOLDER = "file:"


def is_running(home: Home) -> bool:
    """Return whether a stack that uses this home folder is running."""
    runtime = home.runtime()
    return runtime is not None and living(runtime.supervisor) is not None


@asynccontextmanager
async def database(settings: CliSettings, home: Home, report: Reporter) -> AsyncIterator[str]:
    """Yield the database URL of the settings, else of the running stack. If no stack runs, start the home's PostgreSQL
    for the duration of the block.

    Raises StartError if the server does not respond, or cannot be started.
    """
    runtime = home.runtime()
    if settings.database_url:
        await reach_database(settings.database_url, report.note)
        yield settings.database_url
    elif runtime is not None and is_running(home):
        yield runtime.database_url
    else:
        home.create()
        with home.held():
            if runtime is not None:
                end_leftovers(runtime)
            async with _served(home, report) as url:
                yield url


@asynccontextmanager
async def _served(home: Home, report: Reporter) -> AsyncIterator[str]:
    where = await asyncio.to_thread(place, home.root / "postgres")
    cluster = Cluster(
        programs=where.programs,
        data=where.data,
        account=where.account,
        password=home.password("postgres"),
        log=home.log("postgres"),
    )
    await prepare(cluster)
    port = free_port()
    keeper = Keeper(cluster.spec(port), report=report, changed=lambda: None)
    await keeper.start()
    try:
        await create_database(cluster.url(port), DATABASE)
        yield cluster.url(port, DATABASE)
    finally:
        await keeper.stop()


async def missing_files(url: str, folder: Path) -> tuple[int, int]:
    """Return two numbers: how many locally stored uploads the database refers to, and how many of these are missing in
    `folder`. Uploads in a bucket are not counted."""
    connection = await _connect(url)
    try:
        names = [
            row["file_uri"].removeprefix(_IN_FOLDER)
            for table in _WITH_FILES
            # A database with an older schema may lack some of these tables.
            if await connection.fetchval("SELECT to_regclass($1)", f"public.{table}")
            for row in await connection.fetch(
                f"SELECT file_uri FROM {table} WHERE file_uri LIKE '{_IN_FOLDER}%'"  # noqa: S608  # the table name is a constant
            )
        ]
    finally:
        await connection.close()
    missing = await asyncio.to_thread(lambda: sum(not (folder / name).is_file() for name in names))
    return len(names), missing


async def write(url: str, file: Path, *, files: Path | None) -> str:
    """Write the backup, and return the schema version of its rows. An error leaves no new file behind.

    `files` is the folder of uploaded files; None leaves them out. Raises StartError if the database has no schema of
    llmbench, if `file` exists, if the dump fails, or if a file cannot be read or written.
    """
    version = await _version(url)
    if version is None:
        raise StartError("the database holds nothing of llmbench: there is nothing to back up")
    part, rows = file.with_name(f"{file.name}.part"), file.with_name(f"{file.name}.rows")
    try:
        for path in (part, rows):
            path.unlink(missing_ok=True)
            # The file contains prompts and answers, so only its owner may read it.
            path.touch(mode=0o600)
        # Dump the rows before the files are packed: a file uploaded in between does no harm, but a missing one would.
        await _run(
            "pg_dump", "--format=custom", "--data-only", "--enable-row-security", *_tables(), f"--file={rows}", url=url
        )
        await asyncio.to_thread(archive.pack, part, rows=rows, files=files)
        os.link(part, file)
    except FileExistsError:
        raise StartError(f"{file} exists already: a backup never overwrites a file") from None
    except OSError as refused:
        raise StartError(f"{file} cannot be written: {refused.strerror}") from refused
    finally:
        part.unlink(missing_ok=True)
        rows.unlink(missing_ok=True)
    return version


def _tables() -> list[str]:
    """Return the options with which `pg_dump` writes only llmbench's tables. A user's own server may hold others."""
    from llmbench.db.tables import metadata

    return [f"--table=public.{name}" for name in ("alembic_version", *metadata.tables)]


async def version_of(rows: Path, *, name: Path) -> str:
    """Return the schema version of the dump `rows`. Raises StartError, which names the backup `name`, if the dump names
    no version or has unknown content."""
    await require_known_kinds(rows, name=name)
    found: list[bytes] = []
    async with script(rows, "--table=alembic_version", name=name) as contents:
        async for entry in contents.entries():
            if isinstance(entry, TableData) and entry.table == "alembic_version":
                found += [block async for block in entry.blocks]
    version = b"".join(found).decode(errors="replace").strip()
    if not version.isalnum():
        raise StartError(f"{name} is no backup of llmbench: it names no schema version; nothing was restored")
    return version


async def require_free(url: str, *, force: bool) -> None:
    """Raise StartError if another connection uses the database, into which a backup is to be restored. Without `force`,
    also raise it if the database has data of users, such as tasks, datasets or runs."""
    await _refuse_while_used(url)
    if not force and (found := await _user_data(url)):
        raise StartError(f"the database is not empty ({found}): `--force` replaces its content by the backup")


def forget_nats(home: Home) -> None:
    """Delete the NATS store of the home, because its messages are about data that the backup has replaced.

    The services publish the messages that they need again, from the database.
    """
    shutil.rmtree(home.root / "nats", ignore_errors=True)


_ENCRYPTED_MODES = frozenset({"require", "verify-ca", "verify-full"})


async def _run(program: str, *arguments: str, url: str | None = None) -> str:
    """Run a program of PostgreSQL, and return its output. The password goes into its environment, where `ps` does not
    show it. Raises StartError if the program fails."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    if url is not None:
        parts = urlsplit(url)
        if not _ENCRYPTED_MODES.isdisjoint(parse_qs(parts.query).get("sslmode", [])):
            raise StartError(
                f"the {program} that comes with llmbench cannot encrypt its connection: run this command on the "
                "database's machine, with a LLMBENCH_DATABASE_URL without sslmode"
            )
        user = f"{parts.username}@" if parts.username else ""
        host = parts.netloc.rpartition("@")[2]
        arguments = (*arguments, f"--dbname={parts._replace(netloc=user + host).geturl()}")
        environment["PGPASSWORD"] = unquote(parts.password or "")
        # The owner of the tables sees the rows of all organisations only if it asks for them.
        environment["PGOPTIONS"] = f"-c {SETTING}=on"
    process = await asyncio.create_subprocess_exec(
        str(wheel_programs() / program),
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
    )
    try:
        output, errors = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        reason = next(iter(errors.decode(errors="replace").strip().splitlines()), f"exit code {process.returncode}")
        raise StartError(f"{program} failed: {reason.removeprefix(f'{program}: ').removeprefix('error: ')}")
    return output.decode()


async def _connect(url: str) -> "asyncpg.Connection[asyncpg.Record]":
    """Connect as the owner of the tables, to see the rows of all organisations."""
    return await asyncpg.connect(url, timeout=10, server_settings={SETTING: "on"})


async def _version(url: str) -> str | None:
    connection = await asyncpg.connect(url, timeout=10)
    try:
        found = await connection.fetchval("SELECT version_num FROM alembic_version")
        return str(found) if found else None
    except asyncpg.UndefinedTableError:
        return None
    finally:
        await connection.close()


async def _user_data(url: str) -> str | None:
    connection = await _connect(url)
    try:
        for table in _USER_TABLES:
            if await connection.fetchval("SELECT to_regclass($1)", f"public.{table}") and (
                count := await connection.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608  # the table name is a constant
            ):
                return f"{table}: {count}"
        return None
    finally:
        await connection.close()


async def _refuse_while_used(url: str) -> None:
    connection = await asyncpg.connect(url, timeout=10)
    try:
        users = await connection.fetchval(
            "SELECT string_agg(DISTINCT coalesce(nullif(application_name, ''), 'somebody'), ', ') "
            "FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    finally:
        await connection.close()
    if users:
        raise StartError(f"the database is in use ({users}): stop the platform first")
