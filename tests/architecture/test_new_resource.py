"""Test that a new resource needs a folder, a table, a migration and a screen, and no change of an existing file."""

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path

from tests.architecture.made_up_resource import FILES, FOLDER, MIGRATION, TABLE
from tests.architecture.repository import ROOT

SOURCES = ("libs/common", "services/config-api")
SCRIPT = ROOT / "tests/architecture/serve_made_up_resource.py"


def test_new_resource_changes_no_existing_file() -> None:
    assert not [path for path in FILES if (ROOT / path).exists()]
    assert (len({Path(path).parent for path in FOLDER}), len(TABLE), len(MIGRATION)) == (1, 1, 1)
    assert len(FILES) == 7


async def test_new_resource_is_served_and_its_table_has_access_rights(
    tmp_path: Path, postgres_url: str, nats_url: str
) -> None:
    for source in SOURCES:
        shutil.copytree(ROOT / source, tmp_path / source, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(SCRIPT), str(tmp_path), postgres_url, nats_url),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*(str(tmp_path / folder) for folder in SOURCES), str(ROOT)])},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    seen = json.loads(output)
    assert (seen["created"], seen["listed"]) == (201, ["hard"])
    assert seen["edge"]["/api/labels"] == "config-api"
    assert "label" in seen["writes"]
    assert "label" in seen["reads"]
