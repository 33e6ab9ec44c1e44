"""Test `/api/collections` over HTTP."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx
from config_api_asserting import assert_problem, create_resource


async def _tasks(api: httpx.AsyncClient, *names: str) -> dict[str, str]:
    """Create tasks; return their ids by name."""
    return {
        name: str((await create_resource(api, "/api/tasks", task_id=name, category="c", question="q"))["id"])
        for name in names
    }


async def _content(api: httpx.AsyncClient, collection: dict[str, Any], **query: Any) -> list[str]:
    answer = await api.get("/api/tasks", params={"collection_id": collection["id"], **query})
    return [task["task_id"] for task in answer.json()["items"]]


async def test_collection_is_created_read_replaced_and_deleted(api: httpx.AsyncClient) -> None:
    ids = await _tasks(api, "a", "b", "c")
    body = {"name": "basics", "description": "To begin with", "task_ids": [ids["c"], ids["a"]]}
    answer = await api.post("/api/collections", json=body)
    collection = answer.json()
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert (collection["name"], collection["description"], collection["task_count"]) == ("basics", "To begin with", 2)
    assert await _content(api, collection) == ["c", "a"]

    path = answer.headers["location"]
    assert (await api.get(path)).json() == collection

    # Without `task_ids` the tasks stay; with `task_ids` they are replaced, in the given order.
    answer = await api.put(path, json={"name": "renamed"}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')
    assert (answer.json()["name"], answer.json()["description"], answer.json()["task_count"]) == ("renamed", None, 2)
    answer = await api.put(path, json={"name": "renamed", "task_ids": [ids["b"], ids["c"], ids["b"]]})
    assert answer.json()["task_count"] == 2
    assert await _content(api, collection) == ["b", "c"]
    answer = await api.put(path, json={"name": "renamed", "task_ids": []})
    assert answer.json()["task_count"] == 0

    assert_problem(await api.put(path, json={"name": "x"}, headers={"If-Match": '"1"'}), 412)
    assert (await api.delete(path)).status_code == 204
    assert_problem(await api.get(path), 404)
    assert (await api.get(f"/api/tasks/{ids['a']}")).status_code == 200


async def test_tasks_are_assigned_and_unassigned(api: httpx.AsyncClient) -> None:
    ids = await _tasks(api, "a", "b", "c")
    collection = await create_resource(api, "/api/collections", name="basics", task_ids=[ids["a"]])
    path = f"/api/collections/{collection['id']}/tasks"

    answer = await api.patch(path, json={"assign": [ids["c"], ids["b"], ids["a"]]})
    assert (answer.status_code, answer.json()["task_count"], answer.headers["etag"]) == (200, 3, '"2"')
    assert await _content(api, collection) == ["a", "c", "b"]

    answer = await api.patch(path, json={"assign": [ids["b"]], "unassign": [ids["a"], ids["c"]]})
    assert answer.json()["task_count"] == 1
    assert await _content(api, collection) == ["b"]
    # Unassigning a task that is not in the collection changes nothing.
    assert (await api.patch(path, json={"unassign": [ids["a"]]})).json()["task_count"] == 1


async def test_unknown_tasks_are_named_and_the_collection_is_unchanged(api: httpx.AsyncClient) -> None:
    ids = await _tasks(api, "a", "b")
    unknown = str(uuid4())
    answer = await api.post("/api/collections", json={"name": "basics", "task_ids": [ids["a"], unknown]})
    assert_problem(answer, 422, "task_ids")
    assert unknown in answer.text
    assert (await api.get("/api/collections")).json()["items"] == []

    collection = await create_resource(api, "/api/collections", name="basics", task_ids=[ids["a"]])
    path = f"/api/collections/{collection['id']}"
    body = {"assign": [ids["b"]], "unassign": [ids["a"], unknown]}
    assert_problem(await api.patch(f"{path}/tasks", json=body), 422, "unassign")
    assert_problem(await api.patch(f"{path}/tasks", json={"assign": [ids["b"], unknown]}), 422, "assign")
    assert_problem(
        await api.patch(f"{path}/tasks", json={"assign": [ids["b"]], "unassign": [ids["b"]]}), 422, "unassign"
    )
    assert_problem(await api.put(path, json={"name": "other", "task_ids": [unknown]}), 422, "task_ids")
    assert (await api.get(path)).json() == collection
    assert await _content(api, collection) == ["a"]


async def test_deleted_task_is_removed_from_its_collections(api: httpx.AsyncClient) -> None:
    ids = await _tasks(api, "a", "b")
    collection = await create_resource(api, "/api/collections", name="basics", task_ids=list(ids.values()))
    await api.delete(f"/api/tasks/{ids['a']}")
    assert (await api.get(f"/api/collections/{collection['id']}")).json()["task_count"] == 1
    assert await _content(api, collection) == ["b"]


async def test_tasks_of_a_collection_are_paged_in_its_order(api: httpx.AsyncClient) -> None:
    ids = await _tasks(api, *"abcde")
    order = [ids[name] for name in "dbeac"]
    collection = await create_resource(api, "/api/collections", name="basics", task_ids=order)
    query: dict[str, Any] = {"collection_id": str(collection["id"]), "limit": 2}
    seen: list[str] = []
    cursor = None
    while True:
        page = (await api.get("/api/tasks", params={**query, **({"cursor": cursor} if cursor else {})})).json()
        seen += [task["task_id"] for task in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == list("dbeac")


async def test_concurrent_changes_of_a_collection_are_all_applied(api: httpx.AsyncClient) -> None:
    ids = await _tasks(api, *"abcdefgh")
    collection = await create_resource(api, "/api/collections", name="basics")
    path = f"/api/collections/{collection['id']}/tasks"
    gone, rest = ids.pop("h"), list(ids.values())
    answers = await asyncio.gather(
        *(api.patch(path, json={"assign": [id_]}) for id_ in rest),
        api.delete(f"/api/tasks/{gone}"),
        api.patch(path, json={"assign": [gone]}),
    )
    assert [answer.status_code for answer in answers[:-2]] == [200] * len(rest)
    assert answers[-2].status_code == 204
    assert answers[-1].status_code in (200, 422)
    assert (await api.get(f"/api/collections/{collection['id']}")).json()["task_count"] == len(rest)


BAD_BODIES: list[tuple[dict[str, Any], str]] = [
    ({}, "name"),
    ({"name": ""}, "name"),
    ({"name": "x" * 256}, "name"),
    ({"name": "a\x07"}, "name"),
    ({"name": "a", "description": "\x00"}, "description"),
    ({"name": "a", "task_ids": ["no-uuid"]}, "task_ids.0"),
    ({"name": "a", "tasks": []}, "tasks"),
]


async def test_invalid_field_of_a_collection_is_named(api: httpx.AsyncClient) -> None:
    for body, field in BAD_BODIES:
        assert_problem(await api.post("/api/collections", json=body), 422, field)


async def test_collection_name_is_unique(api: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(api.post("/api/collections", json={"name": "basics"}) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    other = await create_resource(api, "/api/collections", name="other")
    assert_problem(await api.put(f"/api/collections/{other['id']}", json={"name": "basics"}), 409, "name")


async def test_collections_are_listed_by_name_and_searched(api: httpx.AsyncClient) -> None:
    for name in ("beta", "alpha", "gamma ray"):
        await create_resource(api, "/api/collections", name=name)
    page = (await api.get("/api/collections", params={"limit": 2})).json()
    assert [item["name"] for item in page["items"]] == ["alpha", "beta"]
    rest = (await api.get("/api/collections", params={"cursor": page["next_cursor"]})).json()
    assert [item["name"] for item in rest["items"]] == ["gamma ray"]
    found = (await api.get("/api/collections", params={"q": "RAY"})).json()
    assert [item["name"] for item in found["items"]] == ["gamma ray"]
    assert_problem(await api.get("/api/collections", params={"cursor": "%%%"}), 422, "cursor")
