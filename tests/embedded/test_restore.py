"""Test an untrusted backup: its rows are only data, it runs no code, and it is restored completely or not at all."""

import asyncio
import io
import json
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.pool import NullPool

from llmbench.db.engine import make_engine
from llmbench.db.history import head
from llmbench.db.migrate import upgrade, upgrade_within
from llmbench.ids import DEFAULT_ORG_ID
from llmbench_cli.embedded import archive, dump
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.load import load
from llmbench_cli.embedded.rows import MAX_GROWTH, Script, TableData, script

pytestmark = pytest.mark.never_rerun


@pytest.fixture
async def source(empty_postgres_url: str) -> AsyncIterator[asyncpg.Connection]:
    """Yield a connection to a migrated database with one task."""
    await upgrade(empty_postgres_url)
    connection = await asyncpg.connect(empty_postgres_url)
    await _add_task(connection, "kept")
    yield connection
    await connection.close()


async def _add_task(connection: Any, task_id: str) -> None:
    await connection.execute(
        "INSERT INTO task (id, org_id, task_id, category, question) VALUES ($1, $2, $3, 'c', 'q')",
        uuid4(),
        DEFAULT_ORG_ID,
        task_id,
    )


async def _dumped(url: str, into: Path, *more: str) -> Path:
    """Dump a database, by default with its schema, as earlier versions of llmbench did."""
    await dump._run("pg_dump", "--format=custom", *more, f"--file={into}", url=url)
    return into


async def _restore(url: str, rows: Path) -> str:
    async def nothing_more() -> None:
        pass

    version = await dump.version_of(rows, name=rows)
    await load(url, rows, version=version, name=rows, before_commit=nothing_more)
    return version


@pytest.fixture
async def other_url(empty_postgres_url: str) -> AsyncIterator[str]:
    """Yield the URL of another migrated database with one task, on the same server."""
    name = f"restored_{uuid4().hex}"
    url = urlsplit(empty_postgres_url)._replace(path=f"/{name}").geturl()
    admin = await asyncpg.connect(empty_postgres_url)
    await admin.execute(f"CREATE DATABASE {name}")
    try:
        await upgrade(url)
        connection = await asyncpg.connect(url)
        await _add_task(connection, "there before")
        await connection.close()
        yield url
    finally:
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await admin.close()


async def _tasks(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    try:
        return [row["task_id"] for row in await connection.fetch("SELECT task_id FROM task ORDER BY task_id")]
    finally:
        await connection.close()


async def test_restore_recovers_rows_and_sequences_and_drops_its_login(
    source: Any, empty_postgres_url: str, other_url: str, tmp_path: Path
) -> None:
    await source.execute("INSERT INTO config_outbox (id, subject, type, body) VALUES ($1, 's', 't', '')", uuid4())
    assert await _restore(other_url, await _dumped(empty_postgres_url, tmp_path / "rows", "--data-only")) == head()
    assert await _tasks(other_url) == ["kept"]
    connection = await asyncpg.connect(other_url)
    assert await connection.fetchval("SELECT nextval(pg_get_serial_sequence('config_outbox', 'seq'))") == 2
    assert await connection.fetchval("SELECT count(*) FROM pg_roles WHERE rolname = 'llmbench_loader'") == 0
    keys = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated"
    assert await connection.fetchval(keys) == await source.fetchval(keys)
    await connection.close()


async def test_database_with_only_a_dataset_counts_as_used(empty_postgres_url: str) -> None:
    await upgrade(empty_postgres_url)
    assert await dump._user_data(empty_postgres_url) is None
    connection = await asyncpg.connect(empty_postgres_url)
    statement = "INSERT INTO dataset (id, org_id, name, type) VALUES ($1, $2, 'D', 'EVALUATION')"
    await connection.execute(statement, uuid4(), DEFAULT_ORG_ID)
    await connection.close()
    assert await dump._user_data(empty_postgres_url) == "dataset: 1"


@pytest.mark.parametrize("version", ["0003", "0012", "0019"])
async def test_older_backup_is_loaded_into_its_own_schema_and_migrated(
    empty_postgres_url: str, other_url: str, tmp_path: Path, version: str
) -> None:
    engine = make_engine(empty_postgres_url, connect={}, poolclass=NullPool)
    async with engine.begin() as connection:
        await upgrade_within(connection, version)
        await connection.execute(
            text("INSERT INTO task (id, org_id, task_id, category, question) VALUES (:id, :org, 'old', 'c', 'q')"),
            {"id": uuid4(), "org": DEFAULT_ORG_ID},
        )
    await engine.dispose()
    assert await _restore(other_url, await _dumped(empty_postgres_url, tmp_path / "rows")) == version
    assert await _tasks(other_url) == ["old"]
    restored = await asyncpg.connect(other_url)
    assert await restored.fetchval("SELECT version_num FROM alembic_version") == head()
    await restored.close()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE FUNCTION evil() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE VIEW evil AS SELECT 1 AS one",
        "CREATE TABLE evil (what text); INSERT INTO evil VALUES ('x')",
        "ALTER TABLE task ADD COLUMN evil text; UPDATE task SET evil = 'x'",
        "CREATE RULE evil AS ON INSERT TO task DO ALSO NOTHING",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';"
        "CREATE TRIGGER evil BEFORE INSERT ON task FOR EACH ROW EXECUTE FUNCTION f()",
        "SELECT lo_create(0)",
        "CREATE SEQUENCE evil",
        "ALTER TABLE collection_task DROP CONSTRAINT collection_task_task_id_fkey;"
        "ALTER TABLE collection_task DROP CONSTRAINT collection_task_collection_id_fkey;"
        "INSERT INTO collection_task (collection_id, task_id) VALUES (gen_random_uuid(), gen_random_uuid())",
        "DROP TABLE usage_of_day",
    ],
)
@pytest.mark.shows("S-23")
async def test_backup_with_foreign_objects_is_refused_and_changes_nothing(
    source: Any, empty_postgres_url: str, other_url: str, tmp_path: Path, statement: str
) -> None:
    await source.execute(statement)
    rows = await _dumped(empty_postgres_url, tmp_path / "rows")
    with pytest.raises(StartError, match="nothing was restored"):
        await _restore(other_url, rows)
    assert await _tasks(other_url) == ["there before"]


@pytest.mark.parametrize(
    "script",
    [
        "COPY public.task (id) TO PROGRAM 'touch {mark}';\n",
        "COPY public.task (id) FROM PROGRAM 'touch {mark}';\n",
        "\\! touch {mark}\n",
        "SELECT pg_read_file('/etc/passwd');\n",
        "SET role = 'postgres'; SELECT 1;\n",
        "COPY public.task (id) FROM stdin;\n",
        "COPY public.task (id) FROM stdin; DROP TABLE task;\n\\.\n",
        "SELECT pg_catalog.setval('public.x', 1, true); DROP TABLE task;\n",
        "-- comment\nDO $$ BEGIN END $$;\n",
        "no newline",
    ],
)
@pytest.mark.shows("S-23")
async def test_script_with_anything_but_data_is_refused(tmp_path: Path, script: str) -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(script.format(mark=tmp_path / "mark").encode())
    reader.feed_eof()
    with pytest.raises(StartError, match="nothing was restored"):
        async for _ in Script(reader, most_bytes=10**6, name=Path("b")).entries():
            pass
    assert not (tmp_path / "mark").exists()


async def test_rows_that_look_like_statements_are_read_as_data() -> None:
    data = b"1\tCOPY x TO PROGRAM 'y';\n\\\\! ls\n\\.x\n\n"
    blocks = b'COPY public.task (id, "case") FROM stdin;\n' + data + b"\\.\n"
    reader = asyncio.StreamReader()
    for at in range(len(blocks)):
        # Feed the data one byte at a time, because blocks may be split anywhere.
        reader.feed_data(blocks[at : at + 1])
    reader.feed_eof()
    (entry,) = [
        (entry.table, entry.columns, b"".join([block async for block in entry.blocks]))
        async for entry in Script(reader, most_bytes=10**6, name=Path("b")).entries()
        if isinstance(entry, TableData)
    ]
    assert entry == ("task", ("id", "case"), data)


async def test_decompression_bomb_is_refused() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(b"COPY public.task (id) FROM stdin;\n" + b"x\n" * 1000)
    reader.feed_eof()
    with pytest.raises(StartError, match=f"more than {MAX_GROWTH} times its size"):
        async for _ in Script(reader, most_bytes=100, name=Path("b")).entries():
            pass


async def test_refused_backup_is_not_read_to_its_end(source: Any, empty_postgres_url: str, tmp_path: Path) -> None:
    await source.execute("UPDATE task SET question = repeat('x', 8000000)")
    rows = await _dumped(empty_postgres_url, tmp_path / "rows")
    with pytest.raises(StartError, match="refused"):  # noqa: PT012  # the error is raised while the content is read
        async with asyncio.timeout(240), script(rows, name=rows) as contents:
            # More than a pipe can hold is read in advance. Reading then stops until the content is used.
            while len(contents._reader._buffer) <= 2 * 64 * 1024:  # type: ignore[attr-defined]  # the buffered content
                await asyncio.sleep(0)
            raise StartError("refused")


async def test_failing_last_step_rolls_back_the_restore(
    source: Any, empty_postgres_url: str, other_url: str, tmp_path: Path
) -> None:
    rows = await _dumped(empty_postgres_url, tmp_path / "rows")

    async def no_room() -> None:
        raise StartError("no room for the files")

    with pytest.raises(StartError, match="no room"):
        await load(other_url, rows, version=head(), name=rows, before_commit=no_room)
    assert await _tasks(other_url) == ["there before"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [("database.dump", "has another checksum"), ("files/a.csv", "has another checksum"), ("files/b.csv", "was added")],
)
@pytest.mark.shows("S-23")
def test_changed_file_of_a_backup_is_named(tmp_path: Path, changed: str, why: str) -> None:
    files, rows, file, other = tmp_path / "files", tmp_path / "rows", tmp_path / "backup", tmp_path / "changed"
    files.mkdir()
    (files / "a.csv").write_bytes(b"a")
    rows.write_bytes(b"PGDMP")
    archive.pack(file, rows=rows, files=files)
    with tarfile.open(file, "r:") as tar, tarfile.open(other, "w") as written:
        members = {member.name: member for member in tar}
        contents = {name: tar.extractfile(one).read() for name, one in members.items() if one.isreg()}  # type: ignore[union-attr]
        contents[changed] = b"other"
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            written.addfile(entry, io.BytesIO(content))
    with (
        pytest.raises(StartError, match=rf"'{changed}' {why}; nothing was restored"),
        archive.unpacked(other, inside=tmp_path / "home"),
    ):
        pass
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("manifest", [b"[]", b"{", b'{"members": 1}', b'{"members": {"files/x": 1}}', b"[" * 100_000])
def test_unreadable_checksums_are_reported(tmp_path: Path, manifest: bytes) -> None:
    file = tmp_path / "backup"
    with tarfile.open(file, "w") as tar:
        for name, content in (("database.dump", b"PGDMP"), ("manifest.json", manifest)):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    with pytest.raises(StartError, match="is damaged"), archive.unpacked(file, inside=tmp_path):
        pass


def test_compressed_or_sparse_archive_is_refused(tmp_path: Path) -> None:
    bomb, sparse = tmp_path / "bomb", tmp_path / "sparse"
    with tarfile.open(bomb, "w:gz") as tar:
        entry = tarfile.TarInfo("database.dump")
        entry.size = 10**6
        tar.addfile(entry, io.BytesIO(bytes(10**6)))
    with tarfile.open(sparse, "w", format=tarfile.PAX_FORMAT) as tar:
        entry = tarfile.TarInfo("database.dump")
        entry.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": str(10**15)}
        entry.size = 1
        tar.addfile(entry, io.BytesIO(b"x"))
    for file in (bomb, sparse):
        with pytest.raises(StartError, match="cannot be unpacked"), archive.unpacked(file, inside=tmp_path):
            pass


def test_file_in_a_thousand_folders_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "backup"
    with tarfile.open(file, "w") as tar:
        tar.addfile(tarfile.TarInfo("files/" + "a/" * 1500 + "b"))
    with pytest.raises(StartError, match="cannot be unpacked"), archive.unpacked(file, inside=tmp_path):
        pass


def test_files_are_not_written_through_a_link(tmp_path: Path) -> None:
    place, files, elsewhere = tmp_path / "place", tmp_path / "files", tmp_path / "elsewhere"
    for folder in (place, files / "org", elsewhere):
        folder.mkdir(parents=True)
    (files / "org" / "a").write_text(json.dumps("new"))
    (place / "org").symlink_to(elsewhere)
    with pytest.raises(StartError, match="link"):
        archive.put_back(place, files)
    assert not list(elsewhere.iterdir())
