"""Test `llmbench import` and `export-tasks` against a running config-api, on a terminal and in scripts."""

import asyncio
import json
import os
import pty
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from llmbench_cli.embedded.ports import free_port
from tests import preloaded
from tests.commands.config_api_process import config_api
from tests.preloaded.programs import COMMAND_LINE

MIXED = "task_id,category,question\nfine,c,q\n,c,no id\nlong,c,\n"


@pytest.fixture
async def url(postgres_url: str, nats_url: str, tmp_path: Path) -> AsyncIterator[str]:
    async with config_api(database_url=postgres_url, nats_url=nats_url, logs=tmp_path) as (url, _):
        yield url


async def _llmbench(*arguments: str | Path) -> tuple[int, str, str]:
    process = await preloaded.start(
        COMMAND_LINE,
        *map(str, arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "COLUMNS": "100"},
    )
    out, error = await asyncio.wait_for(process.communicate(), timeout=90)
    assert process.returncode is not None
    return process.returncode, out.decode(), error.decode()


def _file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


async def test_bad_rows_in_a_pipe_are_printed_line_by_line(url: str, tmp_path: Path) -> None:
    file = _file(tmp_path, "tasks.csv", MIXED)
    code, out, _ = await _llmbench("import", file, "--url", url)
    assert code == 1
    assert out.splitlines() == [
        f"{file}:3: task_id: must not be empty",
        f"{file}:4: question: must not be empty",
        "✗ Nothing was imported: 2 of 3 rows are bad",
        "  Correct them, or import the others with --skip-bad-rows.",
    ]
    code, out, _ = await _llmbench("import", file, "--url", url, "--dry-run")
    assert code == 1
    assert f"{file}:2: created: fine (c)" in out.splitlines()
    assert "! Would be imported: 1 created, 2 bad of 3 rows" in out
    code, out, _ = await _llmbench("import", file, "--url", url, "--skip-bad-rows", "--collection", "My [red]tasks")
    assert code == 0
    assert "! Imported: 1 created, 2 bad of 3 rows" in out
    assert "  1 added to the new collection My [red]tasks" in out


async def test_rows_of_existing_tasks_name_the_option_that_takes_them(url: str, tmp_path: Path) -> None:
    file = _file(tmp_path, "twice.csv", "task_id,category,question\ntwice,c,q\n")
    assert (await _llmbench("import", file, "--url", url))[0] == 0
    code, out, _ = await _llmbench("import", file, "--url", url)
    assert code == 1
    assert out.splitlines()[0] == f"{file}:2: task_id: exists already: twice"
    assert out.splitlines()[-1] == "  `--on-conflict update` replaces tasks that exist, `skip` keeps them."
    assert (await _llmbench("import", file, "--url", url, "--on-conflict", "skip"))[0] == 0


async def test_mapped_columns_are_imported_and_printed(url: str, tmp_path: Path) -> None:
    file = _file(tmp_path, "quiz.csv", "Frage,answer,notes\n1 + 1?,2,x\n")
    mapped = ("--map", "Frage=prompt", "--map", "notes=ignore", "--category", "sums")
    code, out, _ = await _llmbench("import", file, "--url", url, *mapped)
    assert code == 0
    lines = ["  Frage → prompt", "  notes → ignore", "  answer → expected_output", "✓ Imported: 1 created of 1 rows"]
    assert sorted(out.splitlines()) == sorted(lines)
    code, out, _ = await _llmbench("import", file, "--url", url, "--recognise", "--dry-run")
    assert code == 1
    assert f"{file}:2: prompt: " in out


async def test_exported_tasks_can_be_imported_again(url: str, tmp_path: Path) -> None:
    rows = [{"task_id": f"t{number}", "category": "c", "question": "=q"} for number in range(3)]
    file = _file(tmp_path, "tasks.json", json.dumps(rows))
    code, out, _ = await _llmbench("import", file, "--url", url, "--collection", "C")
    assert (code, out.splitlines()[0]) == (0, "✓ Imported: 3 created of 3 rows")
    for name in ("t.csv", "t.yaml", "t.jsonl", "t.json"):
        assert (await _llmbench("export-tasks", tmp_path / name, "--url", url, "--collection", "C"))[0] == 0
        code, out, _ = await _llmbench("import", tmp_path / name, "--url", url, "--on-conflict", "update", "--json")
        assert (code, json.loads(out)["unchanged"]) == (0, 3)
    code, out, _ = await _llmbench("export-tasks", "-", "--url", url)
    assert [json.loads(line) for line in out.splitlines()] == rows
    before = (tmp_path / "t.csv").read_bytes()
    code, _, error = await _llmbench("export-tasks", tmp_path / "t.csv", "--url", url, "--collection", "none")
    assert (code, error) == (1, "llmbench: there is no collection 'none'\n")
    assert (tmp_path / "t.csv").read_bytes() == before
    assert not any(name.endswith(".part") for name in os.listdir(tmp_path))


async def test_failed_import_is_explained_in_one_sentence(url: str, tmp_path: Path) -> None:
    code, out, _ = await _llmbench("import", _file(tmp_path, "tasks.txt", "x"), "--url", url)
    assert code == 1
    assert "Nothing was imported: format: cannot be recognised from the file's name" in out
    code, out, _ = await _llmbench("import", _file(tmp_path, "tasks.yaml", "- a: 'x\n"), "--url", url)
    assert code == 1
    assert "Nothing was imported: Line " in out
    code, _, error = await _llmbench("import", tmp_path / "absent.csv", "--url", url)
    assert code == 2
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as sparse:
        sparse.truncate(20 * 1024 * 1024 + 1)
    code, _, error = await _llmbench("import", huge, "--url", url)
    assert code == 1
    assert "larger than 20 MiB" in error
    code, _, error = await _llmbench("import", tmp_path / "tasks.txt", "--url", f"http://127.0.0.1:{free_port()}")
    assert code == 1
    assert error.startswith("llmbench: nothing answers at http://127.0.0.1:")
    assert len(error.splitlines()) == 1
    async with httpx.AsyncClient(base_url=url, timeout=90) as api:
        assert (await api.get("/api/tasks")).json()["items"] == []


async def test_bad_rows_on_a_terminal_are_printed_as_a_table(url: str, tmp_path: Path) -> None:
    file = _file(tmp_path, "tasks.csv", MIXED)
    master, slave = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "llmbench_cli.main", "import", str(file), "--url", url),
        stdout=slave,
        stderr=slave,
        env={**os.environ, "COLUMNS": "100", "TERM": "xterm-256color"},
    )
    os.close(slave)
    printed = await asyncio.to_thread(_all_of, master)
    assert await process.wait() == 1
    assert "Bad rows" in printed
    assert "│" in printed
    assert "\x1b[" in printed
    assert "2 of 3 rows are bad" in printed


def _all_of(terminal: int) -> str:
    parts = []
    try:
        while part := os.read(terminal, 4096):
            parts.append(part)
    except OSError:
        pass  # Linux reports in this way that the other side has closed the terminal.
    os.close(terminal)
    return b"".join(parts).decode(errors="replace")
