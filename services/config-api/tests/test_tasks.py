"""Test `/api/tasks` over HTTP."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import yaml
from config_api_asserting import assert_problem, create_resource

SAMPLES = Path(__file__).parents[3] / "cli" / "llmbench_cli" / "samples" / "tasks.yaml"

TASK: dict[str, Any] = {
    "task_id": "sum-1",
    "category": "arithmetic",
    "subcategory": "addition",
    "question": "What is 17 + 25?",
    "excellent": "17 + 25 = 42",
    "good": "42",
    "pass": "About 40",
    "incorrect_answer_direction": "Any other number",
}


async def test_task_is_created_read_replaced_and_deleted(api: httpx.AsyncClient) -> None:
    answer = await api.post("/api/tasks", json=TASK)
    assert answer.status_code == 201
    task = answer.json()
    assert {name: task[name] for name in TASK} == TASK
    assert answer.headers["etag"] == '"1"'
    path = answer.headers["location"]
    assert path == f"/api/tasks/{task['id']}"

    answer = await api.get(path)
    assert (answer.status_code, answer.json(), answer.headers["etag"]) == (200, task, '"1"')

    answer = await api.put(path, json={**TASK, "question": "What is 1 + 1?", "pass": None})
    replaced = answer.json()
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')
    assert (replaced["question"], replaced["pass"], replaced["version"]) == ("What is 1 + 1?", None, 2)
    assert replaced["updated_at"] > task["updated_at"]
    assert replaced["created_at"] == task["created_at"]

    assert (await api.delete(path)).status_code == 204
    assert_problem(await api.get(path), 404)
    assert_problem(await api.delete(path), 404)
    assert_problem(await api.put(path, json=TASK), 404)


async def test_texts_are_stripped_and_blank_options_are_null(api: httpx.AsyncClient) -> None:
    task = await create_resource(
        api, "/api/tasks", task_id=" a ", category="c ", question="\n q \n", good="  ", subcategory=""
    )
    assert [task[name] for name in ("task_id", "category", "question", "good", "subcategory")] == [
        *("a", "c", "q"),
        *(None, None),
    ]


BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"task_id": None}, "task_id"),
    ({"task_id": "   "}, "task_id"),
    ({"task_id": "x" * 256}, "task_id"),
    ({"task_id": "two\nlines"}, "task_id"),
    ({"task_id": "nul\x00"}, "task_id"),
    ({"task_id": 7}, "task_id"),
    ({"category": ""}, "category"),
    ({"subcategory": "tab\there"}, "subcategory"),
    ({"question": ""}, "question"),
    ({"question": "nul\x00"}, "question"),
    ({"question": "q" * 1_000_001}, "question"),
    ({"question": ["q"]}, "question"),
    ({"pass": "nul\x00"}, "pass"),
    ({"pass_": "the attribute's name is not the field's"}, "pass_"),
    ({"titel": "misspelt"}, "titel"),
    ({"id": str(uuid4())}, "id"),
]


async def test_invalid_field_is_named_and_no_task_is_created(api: httpx.AsyncClient) -> None:
    for change, field in BAD_FIELDS:
        assert_problem(await api.post("/api/tasks", json={**TASK, **change}), 422, field)
        assert (await api.get("/api/tasks")).json()["items"] == []


async def test_lone_surrogates_are_refused(api: httpx.AsyncClient) -> None:
    body = b'{"task_id": "a", "category": "c", "question": "\\ud800"}'
    answer = await api.post("/api/tasks", content=body, headers={"content-type": "application/json"})
    assert_problem(answer, 422, "question")


async def test_question_of_a_million_characters_is_stored_completely(api: httpx.AsyncClient) -> None:
    question = "é" * 1_000_000
    task = await create_resource(api, "/api/tasks", task_id="long", category="c", question=question)
    assert (await api.get(f"/api/tasks/{task['id']}")).json()["question"] == question


async def test_task_id_is_unique(api: httpx.AsyncClient) -> None:
    await create_resource(api, "/api/tasks", **TASK)
    other = await create_resource(api, "/api/tasks", **{**TASK, "task_id": "other"})
    assert_problem(await api.post("/api/tasks", json=TASK), 409, "task_id")
    assert_problem(await api.put(f"/api/tasks/{other['id']}", json=TASK), 409, "task_id")


async def test_only_one_of_concurrent_creations_with_one_task_id_succeeds(api: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(api.post("/api/tasks", json=TASK) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


async def test_if_match_refuses_a_lost_update(api: httpx.AsyncClient) -> None:
    task = await create_resource(api, "/api/tasks", **TASK)
    path = f"/api/tasks/{task['id']}"
    answers = await asyncio.gather(*(api.put(path, json=TASK, headers={"If-Match": '"1"'}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 412, 412, 412]
    stale = await api.put(path, json=TASK, headers={"If-Match": '"1"'})
    assert assert_problem(stale, 412)["version"] == 2
    for fine in ('"2"', '"1", "3"', "*", "5"):
        answer = await api.put(path, json=TASK, headers={"If-Match": fine})
        assert answer.status_code == 200, fine


async def test_pages_contain_every_task_once_while_tasks_are_added_and_deleted(api: httpx.AsyncClient) -> None:
    for number in range(7):
        await create_resource(api, "/api/tasks", **{**TASK, "task_id": f"task-{number}"})
    first = (await api.get("/api/tasks", params={"limit": 3})).json()
    assert [task["task_id"] for task in first["items"]] == ["task-0", "task-1", "task-2"]
    await api.delete(f"/api/tasks/{first['items'][2]['id']}")
    await create_resource(api, "/api/tasks", **{**TASK, "task_id": "aaa"})
    second = (await api.get("/api/tasks", params={"limit": 3, "cursor": first["next_cursor"]})).json()
    third = (await api.get("/api/tasks", params={"limit": 3, "cursor": second["next_cursor"]})).json()
    assert [task["task_id"] for task in (*second["items"], *third["items"])] == [f"task-{n}" for n in range(3, 7)]
    assert third["next_cursor"] is None


BAD_QUERIES: list[tuple[dict[str, Any], str]] = [
    ({"limit": 0}, "limit"),
    ({"limit": 501}, "limit"),
    ({"limit": "many"}, "limit"),
    ({"cursor": "garbage"}, "cursor"),
    ({"cursor": "WyJwb3NpdGlvbiIsMV0"}, "cursor"),
    ({"q": "nul\x00"}, "q"),
    ({"category": "nul\x00"}, "category"),
    ({"collection_id": "no-uuid"}, "collection_id"),
]


async def test_invalid_query_parameter_is_named(api: httpx.AsyncClient) -> None:
    for query, field in BAD_QUERIES:
        assert_problem(await api.get("/api/tasks", params=query), 422, field)


async def test_tasks_are_found_by_text_and_category(api: httpx.AsyncClient) -> None:
    await create_resource(api, "/api/tasks", task_id="one", category="a", question="Is 100% more than half?")
    await create_resource(api, "/api/tasks", task_id="two_1", category="a", question="Nothing")
    await create_resource(api, "/api/tasks", task_id="twox1", category="b", question="ONE more")

    async def found_names(**query: str) -> list[str]:
        return [task["task_id"] for task in (await api.get("/api/tasks", params=query)).json()["items"]]

    assert await found_names(q="one") == ["one", "twox1"]
    assert await found_names(q="two_1") == ["two_1"]
    assert await found_names(q="100%") == ["one"]
    assert await found_names(q="%") == ["one"]
    assert await found_names(category="a") == ["one", "two_1"]
    assert await found_names(category="b", q="one") == ["twox1"]
    assert await found_names(collection_id=str(uuid4())) == []


async def test_sample_tasks_can_be_created(api: httpx.AsyncClient) -> None:
    samples = yaml.safe_load(SAMPLES.read_text("utf-8"))
    for sample in samples:
        task = await create_resource(api, "/api/tasks", **sample)
        assert {name: task[name] for name in sample} == sample
    listed = (await api.get("/api/tasks", params={"limit": 500})).json()["items"]
    assert len(listed) == len(samples)


async def _listed(api: httpx.AsyncClient, **query: Any) -> list[str]:
    return [task["task_id"] for task in (await api.get("/api/tasks", params=query)).json()["items"]]


async def test_tasks_are_filtered_by_subcategory_collection_and_name(api: httpx.AsyncClient) -> None:
    ids = {}
    for name, category, subcategory in (("a", "math", "sums"), ("b", "math", None), ("c", "words", "sums")):
        task = await create_resource(
            api, "/api/tasks", task_id=name, category=category, subcategory=subcategory, question="What?"
        )
        ids[name] = task["id"]
        assert task["collection_count"] == 0
    first = await create_resource(api, "/api/collections", name="first", task_ids=[ids["b"], ids["a"]])
    second = await create_resource(api, "/api/collections", name="second", task_ids=[ids["a"]])
    counts = {task["task_id"]: task["collection_count"] for task in (await api.get("/api/tasks")).json()["items"]}
    assert counts == {"a": 2, "b": 1, "c": 0}
    assert (await api.get(f"/api/tasks/{ids['a']}")).json()["collection_count"] == 2

    assert await _listed(api, q="WORDS") == ["c"]
    assert await _listed(api, subcategory="sums") == ["a", "c"]
    assert await _listed(api, subcategory="sums", category="math") == ["a"]
    assert await _listed(api, not_in_collection=first["id"]) == ["c"]
    assert await _listed(api, collection_id=first["id"], not_in_collection=second["id"]) == ["b"]
    # A form checks whether a name is free while the user types.
    assert await _listed(api, task_id="a") == ["a"]
    assert await _listed(api, task_id="A") == []
    held_by = (await api.get("/api/collections", params={"task_id": ids["b"]})).json()["items"]
    assert [collection["name"] for collection in held_by] == ["first"]


async def test_tasks_are_counted_by_category(api: httpx.AsyncClient) -> None:
    assert (await api.get("/api/tasks/categories")).json() == {"items": []}
    for number, (category, subcategory) in enumerate([("b", None), ("a", "y"), ("a", "x"), ("a", "x"), ("a", None)]):
        await create_resource(
            api, "/api/tasks", task_id=str(number), category=category, subcategory=subcategory, question="q"
        )
    assert (await api.get("/api/tasks/categories")).json()["items"] == [
        {
            "category": "a",
            "task_count": 4,
            "subcategories": [
                {"subcategory": None, "task_count": 1},
                {"subcategory": "x", "task_count": 2},
                {"subcategory": "y", "task_count": 1},
            ],
        },
        {"category": "b", "task_count": 1, "subcategories": [{"subcategory": None, "task_count": 1}]},
    ]


async def test_every_sort_order_has_pages_without_gaps(api: httpx.AsyncClient) -> None:
    for name in ("d", "a", "c", "b", "e"):
        await create_resource(api, "/api/tasks", task_id=name, category="xy"[name in "ab"], question="q")
    orders = {
        "task_id": "abcde",
        "-task_id": "edcba",
        "category": "cdeab",
        "-category": "baedc",
        "created_at": "dacbe",
        "-created_at": "ebcad",
        "updated_at": "dacbe",
        "-updated_at": "ebcad",
    }
    collection = await create_resource(api, "/api/collections", name="all", task_ids=[])
    ids = [task["id"] for task in (await api.get("/api/tasks")).json()["items"]]
    await api.patch(f"/api/collections/{collection['id']}/tasks", json={"assign": ids})
    for filters in ({}, {"collection_id": collection["id"]}):
        for sort, expected in orders.items():
            seen, cursor = "", None
            while True:
                query = {"sort": sort, "limit": 2, **filters} | ({"cursor": cursor} if cursor else {})
                page = (await api.get("/api/tasks", params=query)).json()
                seen += "".join(task["task_id"] for task in page["items"])
                cursor = page["next_cursor"]
                if cursor is None:
                    break
            assert seen == expected, sort
    first = (await api.get("/api/tasks", params={"sort": "category", "limit": 2})).json()
    assert_problem(await api.get("/api/tasks", params={"cursor": first["next_cursor"]}), 422, "cursor")
    assert_problem(await api.get("/api/tasks", params={"sort": "question"}), 422, "sort")


async def test_several_tasks_are_deleted_with_one_request(api: httpx.AsyncClient) -> None:
    ids = [(await create_resource(api, "/api/tasks", **{**TASK, "task_id": name}))["id"] for name in "abc"]
    answer = await api.post("/api/tasks/delete", json={"ids": [*ids[:2], ids[0], str(uuid4())]})
    assert (answer.status_code, answer.json()) == (200, {"deleted": 2})
    assert await _listed(api) == ["c"]
    assert_problem(await api.post("/api/tasks/delete", json={"ids": []}), 422, "ids")
