"""Helpers for the tests of suites: published datasets, collections, and the bodies of suites."""

from typing import Any

import httpx
from config_api_asserting import create_resource
from dataset_world import dataset, jsonl, numbered, upload_version

PATH = "/api/suites"
Json = dict[str, Any]


async def published(api: httpx.AsyncClient, name: str, cases: int = 4) -> str:
    """Create a dataset with a published version of `cases` cases, and return the version's id."""
    path = await dataset(api, name)
    rows = [{**row, "id": f"{name}-{row['id']}"} for row in numbered(cases)]
    await upload_version(api, path, jsonl(*rows))
    answer = await api.post(f"{path}/versions/1/publish")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["version_id"])


async def collection(api: httpx.AsyncClient, name: str) -> str:
    """Create a collection with one task, and return the collection's id."""
    task = await create_resource(api, "/api/tasks", task_id=f"{name}-1", category="x", question="Why?")
    return str((await create_resource(api, "/api/collections", name=name, task_ids=[task["id"]]))["id"])


def task(name: str, source: Json, **more: Any) -> Json:
    evaluators = [{"kind": "contains", "params": {"texts": ["42"]}}]
    return {"name": name, "source": source, "evaluators": evaluators} | more


def suite(*tasks: Json, name: str = "Nightly", **more: Any) -> Json:
    return {"name": name, "tasks": list(tasks)} | more
