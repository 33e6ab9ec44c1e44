"""Helpers for the tests of annotation: tasks with items, and people who label them."""

from dataclasses import dataclass
from typing import Any

import httpx
from config_api_asserting import create_resource
from suite_world import published

PATH = "/v1/annotations"
Json = dict[str, Any]
VERDICT: Json = {"type": "classification", "options": [{"value": "good"}, {"value": "bad"}]}


@dataclass(frozen=True)
class Person:
    """A client of one person, who labels items of one task. `task` is the URL path of this task."""

    api: httpx.AsyncClient
    task: str
    id: str

    async def next(self) -> Json | None:
        answer = await self.api.get(f"{self.task}/next", params={"annotator_id": self.id})
        if answer.status_code == 204:
            return None
        assert answer.status_code == 200, answer.text
        item: Json = answer.json()
        return item

    async def answer(self, item_id: str, **body: Any) -> httpx.Response:
        return await self.api.post(f"{self.task}/items/{item_id}", params={"annotator_id": self.id}, json=body)

    async def label(self, item_id: str, value: Any = "good", **more: Any) -> Json:
        """Submit `value` as the label of the item, and return the response. `more` has further fields of the
        request."""
        answer = await self.answer(item_id, labels={"label": value}, **more)
        assert answer.status_code == 200, answer.text
        submitted: Json = answer.json()
        return submitted


async def person(api: httpx.AsyncClient, task: str, name: str, **more: Any) -> Person:
    made = await create_resource(api, f"{PATH}/annotators", name=name, **more)
    return Person(api, task, made["annotator_id"])


async def new_task(
    api: httpx.AsyncClient, cases: int = 4, *, dataset: str = "Answers", active: bool = True, **body: Any
) -> str:
    """Create an annotation task over a new dataset of `cases` cases, and return the task's URL path. Unless `active` is
    false, activate the task."""
    version_id = await published(api, dataset, cases)
    wanted = {
        "name": "Are they good?",
        "dataset_version_id": version_id,
        "instructions": "Say whether the question is *good*.",
        "annotation_schema": VERDICT,
        "required_annotations_per_item": 2,
    }
    made = await create_resource(api, f"{PATH}/tasks", **wanted | body)
    path = f"{PATH}/tasks/{made['task_id']}"
    if active:
        assert (await api.post(f"{path}/activate")).status_code == 200
    return path
