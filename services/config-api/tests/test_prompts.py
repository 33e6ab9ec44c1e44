"""Test `/api/prompts` over HTTP."""

from typing import Any

import httpx
import pytest
from config_api_asserting import assert_problem, create_resource
from dataset_world import dataset, jsonl, upload_version
from sqlalchemy import func, insert, update
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.tables import experiment, variant
from llmbench.ids import new_id

PATH = "/api/prompts"
FIRST = {"user_template": "Answer {{tone}}.\n\n{{question}}\n", "system_template": "  "}


async def test_prompt_has_versions_that_never_change(api: httpx.AsyncClient) -> None:
    answer = await api.post(PATH, json={"name": "brief", **FIRST})
    prompt = answer.json()
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"'), answer.text
    path, newest = answer.headers["location"], prompt["newest"]
    assert (newest["number"], newest["system_template"]) == (1, None)
    # White space belongs to a template.
    assert newest["user_template"] == FIRST["user_template"]
    assert [(one["name"], one["type"], one["required"]) for one in newest["variables"]] == [
        ("tone", "string", True),
        ("question", "string", True),
    ]
    assert_problem(await api.post(f"{path}/versions", json=FIRST | {"notes": "again"}), 409)

    tone = {"name": "tone", "default": "in one word", "description": "How to answer."}
    second = await api.post(f"{path}/versions", json=FIRST | {"variables": [tone], "notes": "A default."})
    assert (second.status_code, second.json()["number"]) == (201, 2), second.text
    assert second.json()["content_hash"] != newest["content_hash"]
    assert (await api.get(f"{path}/versions/1")).json() == newest
    assert_problem(await api.get(f"{path}/versions/3"), 404)
    page = (await api.get(f"{path}/versions", params={"limit": 1})).json()
    rest = (await api.get(f"{path}/versions", params={"cursor": page["next_cursor"]})).json()
    assert ([one["number"] for one in page["items"] + rest["items"]], rest["next_cursor"]) == ([2, 1], None)

    # The versions count as changes of the prompt.
    change = {"name": "Brief answers", "description": "d"}
    assert_problem(await api.put(path, json=change, headers={"If-Match": '"1"'}), 412)
    changed = await api.put(path, json=change, headers={"If-Match": '"2"'})
    assert (changed.status_code, changed.json()["newest"]["number"]) == (200, 2)
    await create_resource(api, PATH, name="Another", **FIRST)
    assert_problem(await api.post(PATH, json={"name": "Another", **FIRST}), 409, "name")
    listed = (await api.get(PATH, params={"q": "BRIEF"})).json()
    assert [one["name"] for one in listed["items"]] == ["Brief answers"]

    assert (await api.delete(path)).status_code == 204
    for gone in (api.get(path), api.delete(path), api.get(f"{path}/versions"), api.get(f"{path}/versions/1")):
        assert_problem(await gone, 404)
    assert_problem(await api.post(f"{path}/versions", json=FIRST), 404)


async def test_prompt_of_an_open_experiment_is_not_deleted(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    made = await create_resource(api, PATH, name="used", **FIRST)
    started = {"id": new_id(), "status": "RUNNING", "started_at": func.now(), "seed": 1}
    fixed = {"name": "Short or long", "type": "AB_TEST", "primary_metric": "judge", "setup": {}, "config": {}}
    of_variant = {"experiment_id": started["id"], "position": 0, "name": "a", "is_control": True}
    config = {"prompt_version_id": made["newest"]["id"]}
    async with engine.begin() as connection:
        await connection.execute(insert(experiment).values(started | fixed))
        await connection.execute(
            insert(variant).values(of_variant | {"id": new_id(), "config": config, "traffic_allocation": 1})
        )
    refused = await api.delete(f"{PATH}/{made['id']}")
    assert_problem(refused, 409)
    assert "'Short or long'" in refused.json()["detail"]
    async with engine.begin() as connection:
        await connection.execute(update(experiment).values(status="CONCLUDED", concluded_at=func.now()))
    assert (await api.delete(f"{PATH}/{made['id']}")).status_code == 204


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "user_template"),
        ({"user_template": ""}, "user_template"),
        ({"user_template": "{{#a}}"}, "user_template"),
        ({"user_template": "{{> /etc/passwd}}"}, "user_template"),
        ({"user_template": "a", "system_template": "{{metadata.tone}}"}, "system_template"),
        ({"user_template": "{{a}}", "variables": [{"name": "b"}]}, "variables"),
        ({"user_template": "{{a}}", "variables": [{"name": "a", "type": "number", "default": "1"}]}, "variables"),
        ({"user_template": "{{a}}", "variables": [{"name": "a b"}]}, "variables.0.name"),
        ({"user_template": "{{a}}", "variables": [{"name": "a", "type": "date"}]}, "variables.0.type"),
        ({"user_template": "a\x00b"}, "user_template"),
        ({"user_template": "a" * 100_001}, "user_template"),
        ({"user_template": " ".join(f"{{{{v{n}}}}}" for n in range(101))}, "user_template"),
    ],
)
async def test_wrong_templates_are_refused_with_the_field_at_fault(
    api: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    assert_problem(await api.post(PATH, json={"name": "wrong", **body}), 422, field)
    assert_problem(await api.post(f"{PATH}/preview", json=body), 422, field)


async def test_preview_renders_the_first_cases_of_a_collection(api: httpx.AsyncClient) -> None:
    made = []
    for name, metadata in (("a", {"tone": "kindly"}), ("b", {})):
        body = {"task_id": name, "category": "maths", "question": f"What is {name}?", "metadata": metadata}
        made.append((await create_resource(api, "/api/tasks", **body))["id"])
    collection = await create_resource(api, "/api/collections", name="both", task_ids=made)
    seen = (await api.post(f"{PATH}/preview", json=FIRST | {"collection_id": collection["id"]})).json()
    assert [one["name"] for one in seen["variables"]] == ["tone", "question"]
    rendered, failed = seen["cases"]
    assert rendered == {
        "task_id": "a",
        "system": None,
        "user": "Answer kindly.\n\nWhat is a?\n",
        "error": None,
        "variable": None,
    }
    assert (failed["task_id"], failed["user"], failed["variable"]) == ("b", None, "tone")
    assert "no 'tone' in its metadata" in failed["error"]
    assert (await api.post(f"{PATH}/preview", json=FIRST)).json()["cases"] == []


async def test_preview_renders_the_first_cases_of_a_dataset_version(api: httpx.AsyncClient) -> None:
    lines = [
        {"name": "x", "input": {"prompt": "Why?", "context": "Because."}, "expected_output": "yes"},
        {"name": "y", "input": {"prompt": "How?"}, "metadata": {"category": "easy"}},
    ]
    version = await upload_version(api, await dataset(api, name="questions"), jsonl(*lines))
    template = "{{category}}{{#context}} ({{context}}){{/context}}: {{question}}"
    body = {"user_template": template, "dataset_version_id": version["version_id"]}
    seen = (await api.post(f"{PATH}/preview", json=body)).json()["cases"]
    assert [one["user"] for one in seen] == ["questions (Because.): Why?", "easy: How?"]
