"""Test `llmbench annotation …` against a running config-api."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests import preloaded
from tests.commands.config_api_process import config_api
from tests.preloaded.programs import COMMAND_LINE

TASK = """
name: Is it polite?
instructions: Say how it sounds.
annotation_schema: {type: classification, options: [{value: polite}, {value: rude}]}
required_annotations_per_item: 1
"""


@pytest.fixture
async def url(postgres_url: str, nats_url: str, tmp_path: Path) -> AsyncIterator[str]:
    async with config_api(database_url=postgres_url, nats_url=nats_url, logs=tmp_path) as (url, _):
        yield url


async def _llmbench(url: str, *arguments: str | Path) -> tuple[int, str, str]:
    process = await preloaded.start(
        COMMAND_LINE,
        *map(str, arguments),
        "--url",
        url,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "COLUMNS": "100"},
    )
    out, error = await asyncio.wait_for(process.communicate(), timeout=240)
    assert process.returncode is not None
    return process.returncode, out.decode(), error.decode()


async def test_task_is_created_from_a_file_followed_and_exported(url: str, tmp_path: Path) -> None:
    cases, file = tmp_path / "cases.jsonl", tmp_path / "task.yaml"
    cases.write_text("\n".join(json.dumps({"id": f"c-{number}", "prompt": "Hello"}) for number in range(2)))
    file.write_text(TASK)
    assert "no annotation tasks" in (await _llmbench(url, "annotation", "list"))[1]
    assert (await _llmbench(url, "datasets", "upload", "Letters", cases, "--create"))[0] == 0
    unpublished = await _llmbench(url, "annotation", "create", file, "--dataset", "Letters")
    assert (unpublished[0], "has no published version" in unpublished[2]) == (1, True)
    assert (await _llmbench(url, "datasets", "publish", "Letters"))[0] == 0
    code, out, error = await _llmbench(url, "annotation", "create", file, "--dataset", "Letters", "--activate")
    assert (code, out[:37]) == (0, "✓ Is it polite? gives out 2 items (01"), error

    async with httpx.AsyncClient(base_url=url) as api:
        ada = (await api.post("/v1/annotations/annotators", json={"name": "Ada"})).json()["annotator_id"]
        (task,) = (await api.get("/v1/annotations/tasks")).json()["tasks"]
        path, whose = f"/v1/annotations/tasks/{task['task_id']}", {"annotator_id": ada}
        item = (await api.get(f"{path}/next", params=whose)).json()
        labels = {"labels": {"label": "polite"}}
        assert (await api.post(f"{path}/items/{item['item_id']}", params=whose, json=labels)).status_code == 200

    assert "Is it polite?  ACTIVE  1 of 2 items" in (await _llmbench(url, "annotation", "list"))[1]
    progress = (await _llmbench(url, "annotation", "progress", "is it polite?"))[1]
    assert "ACTIVE: 1 of 2 items have their labels, 1 agreed on at 0.8, 0 decided" in progress
    assert "label: no agreement:" in progress
    assert "Ada" in progress
    labelled = tmp_path / "labels.csv"
    assert (await _llmbench(url, "annotation", "export", task["task_id"], "-o", labelled))[0] == 0
    assert labelled.read_text().splitlines()[1].split(",")[2:4] == ["label", "polite"]
    refused = await _llmbench(url, "annotation", "ground-truth", task["task_id"], "--accept", "polite")
    assert (refused[0], "accept: is for answers of a run" in refused[2]) == (1, True)
    code, out, error = await _llmbench(url, "annotation", "ground-truth", task["task_id"], "--publish")
    assert (code, "version 2 has the consensus as ground truth" in out) == (0, True), error
    unknown = await _llmbench(url, "annotation", "progress", "None")
    assert (unknown[0], "there is no annotation task 'None'" in unknown[2]) == (1, True)
