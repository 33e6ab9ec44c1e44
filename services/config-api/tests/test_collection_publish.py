"""Test that a collection becomes a complete dataset version each time it is published."""

from pathlib import Path
from uuid import uuid4

import httpx
from config_api_asserting import assert_problem, create_resource
from dataset_world import refuse_files


async def test_collection_is_published_as_a_dataset_version(api: httpx.AsyncClient) -> None:
    first = await create_resource(
        api,
        "/api/tasks",
        task_id="b",
        category="sums",
        subcategory="easy",
        question="1+1?",
        good="2",
        **{"pass": "two"},
    )
    second = await create_resource(api, "/api/tasks", task_id="a", category="words", question="A word?")
    body = {"name": "Basics", "description": "To begin with", "task_ids": [first["id"], second["id"]]}
    collection = await create_resource(api, "/api/collections", **body)
    path = f"/api/collections/{collection['id']}/publish"

    answer = await api.post(path, json={"description": "The first"})
    version = answer.json()
    assert (answer.status_code, version["status"], version["row_count"]) == (201, "PUBLISHED", 2), answer.text
    assert (version["version_number"], version["description"], version["file_name"]) == (1, "The first", "Basics.jsonl")
    dataset = (await api.get(f"/v1/datasets/{version['dataset_id']}")).json()
    assert (dataset["name"], dataset["description"], dataset["published_version"]) == ("Basics", "To begin with", 1)
    cases = (await api.get(f"{answer.headers['location']}/cases")).json()["cases"]
    assert [(case["name"], case["input"], case["metadata"]) for case in cases] == [
        ("b", {"prompt": "1+1?"}, {"category": "sums", "subcategory": "easy"}),
        ("a", {"prompt": "A word?"}, {"category": "words"}),
    ]
    assert cases[0]["ground_truth"]["value"] == {"rubric": {"good": "2", "pass": "two"}}
    assert cases[1]["ground_truth"] is None

    again = (await api.post(path, json={})).json()
    assert (again["dataset_id"], again["version_number"]) == (version["dataset_id"], 2)
    assert again["content_hash"] == version["content_hash"]
    other = (await api.post(path, json={"dataset_name": "Other"})).json()
    assert other["version_number"] == 1
    assert other["dataset_id"] != version["dataset_id"]


async def test_publishing_an_empty_or_unknown_collection_is_refused(api: httpx.AsyncClient) -> None:
    empty = await create_resource(api, "/api/collections", name="Empty")
    assert_problem(await api.post(f"/api/collections/{empty['id']}/publish", json={}), 422, "id")
    assert_problem(await api.post(f"/api/collections/{uuid4()}/publish", json={}), 404)
    assert (await api.get("/v1/datasets")).json()["total"] == 0


async def test_refused_publication_of_a_collection_leaves_no_dataset(api: httpx.AsyncClient, files: Path) -> None:
    task = await create_resource(api, "/api/tasks", task_id="a", category="words", question="A word?")
    collection = await create_resource(api, "/api/collections", name="Basics", task_ids=[task["id"]])
    path = f"/api/collections/{collection['id']}/publish"
    assert (await api.post(path, json={})).status_code == 201
    refuse_files(files)
    assert_problem(await api.post(path, json={"dataset_name": "Other"}), 503)
    datasets = (await api.get("/v1/datasets")).json()["datasets"]
    assert [(one["name"], one["version_count"]) for one in datasets] == [("Basics", 1)]
