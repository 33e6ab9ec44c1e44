"""Test that backups and keys can be passed through pipes, as between containers."""

import asyncio
import os
import pty
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import asyncpg
import pytest

from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench_cli.embedded import dump

KEY = "a master key that is long enough"


@dataclass
class Ended:
    """The exit code and the output of a command that has ended."""

    code: int
    output: bytes
    errors: str


async def _llmbench(
    settings: Mapping[str, str], *command: str, given: bytes | None = None, terminal: int | None = None
) -> Ended:
    """Run an llmbench command. With `terminal`, that file descriptor replaces the pipes of stdin and stdout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "llmbench_cli.main", *command),
        stdin=asyncio.subprocess.PIPE if terminal is None else terminal,
        stdout=asyncio.subprocess.PIPE if terminal is None else terminal,
        stderr=asyncio.subprocess.PIPE,
        env={**kept, "COLUMNS": "300", **settings},
    )
    output, errors = await asyncio.wait_for(process.communicate(given), 90)
    assert process.returncode is not None
    assert b"Traceback" not in errors, errors.decode()
    return Ended(process.returncode, output or b"", errors.decode())


def _settings(url: str, folder: Path) -> dict[str, str]:
    files = folder / "files"
    files.mkdir(parents=True)
    named = {"DATABASE_URL": url, "MASTER_KEY": KEY, "HOME": str(folder), "CONFIG_API_FILES": str(files)}
    return {"TMPDIR": str(folder)} | {f"LLMBENCH_{name}": value for name, value in named.items()}


async def test_backup_can_be_written_to_and_restored_from_a_pipe(
    postgres_url: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    here, there = _settings(postgres_url, tmp_path / "here"), _settings(empty_postgres_url, tmp_path / "there")
    (tmp_path / "here" / "files" / "uploaded").write_bytes(b"uploaded")
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(
        "INSERT INTO collection (id, org_id, name) VALUES ($1, $2, 'Precious')", new_id(), DEFAULT_ORG_ID
    )
    await connection.close()

    written = await _llmbench(here, "backup", "-")
    assert written.code == 0, written.errors
    assert "Keep LLMBENCH_MASTER_KEY" in written.errors
    with tarfile.open(fileobj=BytesIO(written.output)) as tar:
        assert {"database.dump", "files/uploaded"} <= set(tar.getnames()), "nothing but the backup is in it"

    restored = await _llmbench(there, "restore", "-", given=written.output)
    assert restored.code == 0, restored.errors
    connection = await asyncpg.connect(empty_postgres_url)
    assert await connection.fetchval("SELECT name FROM collection") == "Precious"
    await connection.close()
    assert (tmp_path / "there" / "files" / "uploaded").read_bytes() == b"uploaded"
    for folder in (tmp_path / "here", tmp_path / "there"):
        assert {entry.name for entry in folder.iterdir()} == {"files"}, "what lay there on its way is gone"

    for given in (b"", b"no backup", written.output[: len(written.output) // 2]):
        refused = await _llmbench(there, "restore", "-", "--force", given=given)
        assert refused.code == 1, given[:20]
    assert (await _llmbench(there, "restore", "-", given=written.output)).code == 1, "it is not empty any more"


async def test_piped_backup_that_does_not_fit_is_named_standard_input(
    postgres_url: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    rows = tmp_path / "rows"
    options = ("--format=custom", "--data-only", "--exclude-table=task", f"--file={rows}")
    await dump._run("pg_dump", *options, url=postgres_url)
    refused = await _llmbench(
        _settings(empty_postgres_url, tmp_path / "there"), "restore", "-", given=rows.read_bytes()
    )
    assert refused.code == 1
    assert "llmbench: the standard input lacks the table 'task'" in refused.errors


async def test_backup_to_a_terminal_is_refused(postgres_url: str, tmp_path: Path) -> None:
    settings = _settings(postgres_url, tmp_path / "home")
    ours, theirs = pty.openpty()
    try:
        for command in (("backup", "-"), ("restore", "-"), ("rotate-key", "--new-key-file", "-")):
            refused = await _llmbench(settings, *command, terminal=theirs)
            assert (refused.code, "this is a terminal" in refused.errors) == (1, True), command
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    ("given", "reason"), [(b"short", "32 characters"), (b"", "32 characters"), (KEY.encode(), "nothing to rotate")]
)
async def test_invalid_piped_key_is_refused(postgres_url: str, tmp_path: Path, given: bytes, reason: str) -> None:
    settings = _settings(postgres_url, tmp_path / "home")
    refused = await _llmbench(settings, "rotate-key", "--new-key-file", "-", given=given)
    assert (refused.code, reason in refused.errors) == (1, True), refused.errors
    # A home stores its master key in a file. A new key that only a pipe has received would be lost, so it is refused.
    del settings["LLMBENCH_MASTER_KEY"]
    refused = await _llmbench(settings, "rotate-key", "--new-key-file", "-", given=KEY.encode())
    assert (refused.code, "the home keeps its own" in refused.errors) == (1, True), refused.errors


async def test_piped_key_encrypts_the_secrets(postgres_url: str, tmp_path: Path) -> None:
    settings = _settings(postgres_url, tmp_path / "home")
    new = b"another master key that is long enough\n"
    rotated = await _llmbench(settings, "rotate-key", "--new-key-file", "-", given=new)
    assert rotated.code == 0, rotated.errors
    assert b"give it to config-api, orchestrator and inference-gateway" in rotated.output
    assert new.strip() not in rotated.output
