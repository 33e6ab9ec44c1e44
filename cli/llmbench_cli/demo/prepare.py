"""Prepare the provider, tasks and collections of the demo's run. A repeated demo uses the existing ones."""

from dataclasses import dataclass
from typing import Any

from llmbench_cli.client import Client
from llmbench_cli.demo.provider import register
from llmbench_cli.demo.tasks import by_category, sample_tasks, varied
from llmbench_cli.embedded.model import MODEL_NAME
from llmbench_cli.errors import Refused

COLLECTION = "Demo"


@dataclass(frozen=True)
class Prepared:
    """The ids of the provider and the collection that the demo's run uses, and the number of tasks in that
    collection."""

    provider_id: str
    collection_id: str
    tasks: int


async def prepare(client: Client, *, model_url: str, tasks: int) -> Prepared:
    """Register the built-in model, create missing sample tasks, and create or update the demo's collections.

    Each category has a collection. The demo runs another one, `COLLECTION`, which has `tasks` tasks from all
    categories. `model_url` is the model's base URL.
    """
    provider_id = await register(client, model_url)
    sample = sample_tasks()
    chosen = varied(sample, tasks)
    ids = await _import_tasks(client, sample)
    for category, members in by_category(sample).items():
        await _collection(
            client,
            name=f"Sample: {category}",
            description=f"The sample tasks of the category {category}.",
            task_ids=[ids[task["task_id"]] for task in members],
        )
    collection_id = await _collection(
        client,
        name=COLLECTION,
        description="A small selection of the sample tasks, used by `llmbench demo`.",
        task_ids=[ids[task["task_id"]] for task in chosen],
    )
    return Prepared(provider_id, collection_id, len(chosen))


def run_body(prepared: Prepared) -> dict[str, Any]:
    """Return the body of `POST /api/runs` for the demo: one model with two temperatures, judged by itself.

    Low token limits keep the answers short, so that the run takes only a few minutes on two cores.
    """
    model = {"provider_id": prepared.provider_id, "model": MODEL_NAME}
    return {
        "name": "Demo: does temperature matter?",
        "collection_ids": [prepared.collection_id],
        "targets": [
            {**model, "label": f"SmolLM2 t={temperature:g}", "params": _params(temperature, 160)}
            for temperature in (0.0, 0.8)
        ],
        "judge": {**model, "params": _params(0.0, 320)},
        # The demo has only this model, so the model judges itself. The run carries a warning.
        "allow_self_judging": True,
    }


def _params(temperature: float, max_tokens: int) -> dict[str, Any]:
    return {"temperature": temperature, "max_tokens": max_tokens, "seed": 1}


async def _import_tasks(client: Client, tasks: list[dict[str, Any]]) -> dict[str, str]:
    """Create the missing tasks. Return the id of each task by its `task_id`. A task that the user has edited stays as
    it is."""
    ids = {task["task_id"]: str(task["id"]) async for task in client.every("/api/tasks")}
    for task in tasks:
        if task["task_id"] in ids:
            continue
        try:
            created = await client.post("/api/tasks", task)
        except Refused as refused:
            if refused.status != 409:
                raise
            # Another client has created the task since the look-up.
            ids |= {t["task_id"]: str(t["id"]) async for t in client.every("/api/tasks", q=task["task_id"])}
        else:
            ids[task["task_id"]] = str(created["id"])
    return ids


async def _collection(client: Client, *, name: str, description: str, task_ids: list[str]) -> str:
    wanted = {"name": name, "description": description, "task_ids": task_ids}
    async for found in client.every("/api/collections", q=name):
        if found["name"] == name:
            return str((await client.put(f"/api/collections/{found['id']}", wanted))["id"])
    return str((await client.post("/api/collections", wanted))["id"])
