"""Test `llmbench datasets …` and `documents …` against a running config-api, on a terminal and in scripts."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yaml

from tests import preloaded
from tests.commands.config_api_process import config_api
from tests.preloaded.programs import COMMAND_LINE

TRUTH = {
    "version": "1.0",
    "created": "2026-01-21",
    "description": "HR chatbot",
    "questions": [
        {
            "id": f"Q00{number}",
            "category": "leave" if number % 2 else "expenses",
            "question": f"How {number}?",
            "expected_answer": "In the portal.",
            "variations": ["By the portal."],
            "citation_required": number == 1,
            "tags": [],
        }
        for number in range(1, 5)
    ],
}


@pytest.fixture
async def url(postgres_url: str, nats_url: str, tmp_path: Path) -> AsyncIterator[str]:
    async with config_api(database_url=postgres_url, nats_url=nats_url, logs=tmp_path) as (url, _):
        yield url


async def _llmbench(url: str, *arguments: str | Path, about: str = "datasets") -> tuple[int, str, str]:
    process = await preloaded.start(
        COMMAND_LINE,
        about,
        *map(str, arguments),
        "--url",
        url,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "COLUMNS": "100"},
    )
    out, error = await asyncio.wait_for(process.communicate(), timeout=90)
    assert process.returncode is not None
    return process.returncode, out.decode(), error.decode()


async def test_dataset_is_created_uploaded_published_and_exported(url: str, tmp_path: Path) -> None:
    file = tmp_path / "ground_truth.yaml"
    file.write_text(yaml.safe_dump(TRUTH))
    code, out, _ = await _llmbench(url, "create", "HR", "--type", "GOLDEN_SET", "--tag", "hr")
    assert (code, out[:12]) == (0, "✓ Created HR")
    assert (await _llmbench(url, "upload", "HR", file))[:2] == (0, "✓ Uploaded version 1 with 4 cases, DRAFT\n")
    code, out, _ = await _llmbench(url, "publish", "HR")
    assert (code, out[:26]) == (0, "✓ Version 1 is published (")
    code, out, _ = await _llmbench(url, "list", "--tag", "hr")
    assert (code, out) == (0, "HR  GOLDEN_SET  v1, 4 cases, v1 published\n")

    code, out, error = await _llmbench(url, "sample", "HR", "2", "--by", "category", "--seed", "7")
    assert (code, error) == (0, "seed 7\n")
    assert sorted(json.loads(line)["metadata"]["category"] for line in out.splitlines()) == ["expenses", "leave"]

    exported = tmp_path / "out.yaml"
    assert (await _llmbench(url, "export", "HR", "-o", exported))[0] == 0
    assert yaml.safe_load(exported.read_text()) == TRUTH
    code, _, error = await _llmbench(url, "export", "HR", "-o", exported)
    assert (code, "exists already" in error) == (1, True)


async def test_upload_error_names_file_line_and_field(url: str, tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    file.write_text("id,prompt\na,fine\nb,\n")
    code, out, _ = await _llmbench(url, "upload", "New", file, "--create")
    assert code == 1
    assert out.splitlines() == [
        f"{file}:3: prompt: is missing; where another column has it, say so: map <column>=prompt",
        "✗ Nothing was imported: 1 of 2 rows are bad",
        "  Correct the file, and upload it again.",
    ]
    code, _, error = await _llmbench(url, "publish", "New")
    assert (code, error[:36]) == (1, "llmbench: there is no dataset 'New';"), "what was made for it is gone"
    await _llmbench(url, "create", "Empty")
    code, _, error = await _llmbench(url, "publish", "Empty")
    assert (code, error) == (1, "llmbench: the dataset 'Empty' has no version yet\n")


async def test_document_is_added_shown_and_deleted(url: str, tmp_path: Path) -> None:
    file = tmp_path / "Leave.md"
    file.write_text("# Leave\n\nTwo weeks ahead.\n\fAnswers come\x1b[31m in three days.")
    code, out, _ = await _llmbench(url, "add", file, "--name", "Leave", "--description", "Rules", about="documents")
    assert (code, out) == (0, "✓ Added Leave: text, 2 pages, 58 characters\n")
    assert (await _llmbench(url, "list", about="documents"))[:2] == (0, "Leave  text, 2 pages, 58 characters\n")
    code, out, _ = await _llmbench(url, "show", "Leave", "--json", about="documents")
    assert (code, json.loads(out)["description"]) == (0, "Rules")
    code, out, _ = await _llmbench(url, "show", "Leave", "--page", "2", about="documents")
    assert (code, out) == (0, "Answers come\\x1b[31m in three days.\n")
    code, _, error = await _llmbench(url, "show", "Leave", "--page", "3", about="documents")
    assert (code, error) == (1, "llmbench: there is no page 3: the document has 2\n")
    scanned = tmp_path / "scanned.pdf"
    scanned.write_bytes(b"%PDF-1.4 nothing")
    code, _, error = await _llmbench(url, "add", scanned, about="documents")
    assert (code, "file: is no PDF that can be read" in error) == (1, True)
    wanted = ("generate", "Leave", "--model", "Nobody:nothing", "--pages")
    assert "are no pages" in (await _llmbench(url, *wanted, "2-x", about="documents"))[2]
    assert (await _llmbench(url, "delete", "Leave", about="documents"))[:2] == (0, "✓ Deleted Leave\n")
    code, _, error = await _llmbench(url, "delete", "Leave", about="documents")
    assert (code, error[:38]) == (1, "llmbench: there is no document 'Leave'")
