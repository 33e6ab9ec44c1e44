"""Test `GET /api/tasks/export`: filters, order, re-import of the exported tasks, and cells that look like formulas."""

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest
import yaml
from config_api_asserting import assert_problem, create_resource

from config_api.transfer.formats.registry import writable

FIELDS = (
    *("task_id", "category", "subcategory", "question"),
    *("excellent", "good", "pass", "incorrect_answer_direction"),
)
TASKS: list[dict[str, Any]] = [
    {"task_id": "b", "category": "c", "question": "=SUM(A1)", "pass": "'=2", "good": "'tis"},
    {"task_id": "-a", "category": "@c", "question": 'two\r\nlines, "quoted"; tab\there', "subcategory": "no"},
    {"task_id": "ü", "category": "c", "question": "- list\n- # no comment\n😀 \u2028", "excellent": "1.10"},
]


async def _tasks(api: httpx.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    items = (await api.get("/api/tasks", params={"limit": 500, **query})).json()["items"]
    return [{name: item[name] for name in FIELDS} for item in items]


@pytest.mark.parametrize("name", sorted(writable()))
async def test_exported_tasks_can_be_imported_again(api: httpx.AsyncClient, name: str) -> None:
    for body in TASKS:
        await create_resource(api, "/api/tasks", **body)
    before = await _tasks(api)
    answer = await api.get("/api/tasks/export", params={"format": name})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == writable()[name].media_type
    assert answer.headers["content-disposition"] == f'attachment; filename="tasks.{writable()[name].extension}"'
    ids = [item["id"] for item in (await api.get("/api/tasks")).json()["items"]]
    assert (await api.post("/api/tasks/delete", json={"ids": [*ids, str(uuid4())]})).json() == {"deleted": 3}
    imported = await api.post("/api/tasks/import", params={"format": name}, content=answer.content)
    assert imported.json()["created"] == 3, imported.text
    assert await _tasks(api) == before


async def test_exported_files_are_read_by_standard_parsers(api: httpx.AsyncClient) -> None:
    for body in TASKS:
        await create_resource(api, "/api/tasks", **body)
    expected = [{key: value for key, value in task.items() if value is not None} for task in await _tasks(api)]
    answers = {name: (await api.get("/api/tasks/export", params={"format": name})).text for name in writable()}
    assert json.loads(answers["json"]) == expected
    assert [json.loads(line) for line in answers["jsonl"].split("\n") if line] == expected
    assert yaml.safe_load(answers["yaml"]) == expected
    assert "'=SUM(A1)" in answers["csv"]


async def test_collection_is_exported_in_its_order_over_many_pages(api: httpx.AsyncClient) -> None:
    rows = "".join(f"t{(number * 7) % 450:03},c{number % 2},q\n" for number in range(450))
    query = {"format": "csv", "collection_name": "C"}
    content = f"task_id,category,question\n{rows}"
    collection = (await api.post("/api/tasks/import", params=query, content=content)).json()["collection"]
    answer = await api.get("/api/tasks/export", params={"format": "jsonl", "collection_id": collection["id"]})
    names = [json.loads(line)["task_id"] for line in answer.text.splitlines()]
    assert names == [line.split(",")[0] for line in rows.splitlines()]
    answer = await api.get("/api/tasks/export", params={"category": "c1"})
    assert len(answer.text.splitlines()) == 225
    assert answer.text.splitlines() == sorted(answer.text.splitlines())


async def test_empty_export_is_a_valid_file_and_unknown_parameters_are_problems(api: httpx.AsyncClient) -> None:
    assert (await api.get("/api/tasks/export", params={"format": "json"})).json() == []
    assert_problem(await api.get("/api/tasks/export", params={"format": "promptfoo"}), 422, "format")
    assert_problem(await api.get("/api/tasks/export", params={"collection_id": str(uuid4())}), 404)
