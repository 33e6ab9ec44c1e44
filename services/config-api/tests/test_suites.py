"""Test `/api/suites` over HTTP."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import nats
import pytest
from config_api_asserting import assert_problem, create_resource
from dataset_world import dataset, jsonl, numbered, upload_version
from jsonschema import Draft202012Validator
from nats.aio.client import Client
from nats.aio.msg import Msg
from suite_world import PATH, collection, published, suite, task

from judge.handlers.tell_evaluators import describe_evaluator
from llmbench.contracts.describe_evaluator import DescribeEvaluator
from llmbench.messaging.fence import fence

SUMS = {"dataset": "Sums"}
MORE = {"dataset": "More"}


@pytest.fixture
async def judge(nats_url: str) -> AsyncIterator[None]:
    """Answer requests about evaluators as the judge service does."""
    connection: Client = await nats.connect(nats_url)

    async def describe(message: Msg) -> None:
        described = describe_evaluator(DescribeEvaluator.model_validate_json(message.data))
        await message.respond(described.model_dump_json().encode())

    await connection.subscribe(DescribeEvaluator.SUBJECT, cb=describe)
    await fence(connection)
    yield
    await connection.close()


async def test_suite_is_created_changed_published_and_deleted(api: httpx.AsyncClient, judge: None) -> None:
    version_id = await published(api, "Sums", 4)
    collection_id = await collection(api, "Words")
    first = task("sums", SUMS, epochs=3, sample={"size": 2}, params={"temperature": 0}, weight=2)
    second = task("words", {"collection": "Words"}, category="text", after=["sums"], evaluators=[{"kind": "rubric"}])
    answer = await api.post(PATH, json=suite(first, second, aggregation="weighted", description="d"))
    assert answer.status_code == 201, answer.text
    made = answer.json()
    path = answer.headers["location"]
    assert (await api.get(path)).json() == made
    assert (made["version_number"], made["status"], made["published_at"]) == (1, "DRAFT", None)
    assert (made["task_count"], made["total_items"], made["needs_judge"]) == (2, 7, True)
    assert made["categories"] == ["general", "text"]
    assert [
        (facts["level"], facts["cases"], facts["items"], facts["dataset_version_id"], facts["collection_id"])
        for facts in made["tasks"]
    ] == [(0, 2, 6, version_id, None), (1, 1, 1, None, collection_id)]
    assert made["definition"]["tasks"][0]["source"]["version"] == 1, "the newest published one, from then on"

    # The returned definition can be sent again.
    answer = await api.put(path, json=made["definition"] | {"description": None}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.json()["version"], answer.json()["description"]) == (200, 2, None)
    assert_problem(await api.put(path, json=made["definition"], headers={"If-Match": '"1"'}), 412)

    answer = await api.post(f"{path}/publish")
    assert (answer.status_code, answer.json()["status"]) == (200, "PUBLISHED")
    assert (await api.post(f"{path}/publish")).json() == answer.json(), "publishing twice changes nothing"
    assert_problem(await api.put(path, json=made["definition"]), 409)
    assert (await api.delete(path)).status_code == 204
    assert_problem(await api.get(path), 404)
    assert_problem(await api.delete(path), 404)


async def test_new_version_is_a_draft_and_lists_show_the_newest(api: httpx.AsyncClient, judge: None) -> None:
    await published(api, "Sums")
    first = await create_resource(api, PATH, **suite(task("sums", SUMS)))
    await create_resource(api, PATH, **suite(task("sums", SUMS), name="Another"))
    assert_problem(await api.post(PATH, json=suite(task("sums", SUMS))), 409, "name")
    await api.post(f"{PATH}/{first['id']}/publish")
    second = (await api.post(f"{PATH}/{first['id']}/versions")).json()
    assert (second["version_number"], second["status"]) == (2, "DRAFT")
    assert second["definition"] == first["definition"]
    assert_problem(await api.post(f"{PATH}/{first['id']}/versions"), 409, "name")
    renamed = second["definition"] | {"name": "Other"}
    assert_problem(await api.put(f"{PATH}/{second['id']}", json=renamed), 422, "name")

    page = (await api.get(PATH, params={"limit": 1})).json()
    assert [item["name"] for item in page["items"]] == ["Another"]
    page = (await api.get(PATH, params={"limit": 1, "cursor": page["next_cursor"]})).json()
    assert [(item["name"], item["version_number"]) for item in page["items"]] == [("Nightly", 2)]
    assert page["next_cursor"] is None
    only = (await api.get(PATH, params={"status": "PUBLISHED"})).json()["items"]
    assert [(item["name"], item["version_number"]) for item in only] == [("Nightly", 1)]
    versions = (await api.get(f"{PATH}/{first['id']}/versions")).json()["items"]
    assert [item["version_number"] for item in versions] == [2, 1]


@pytest.mark.parametrize(
    ("tasks", "field", "message"),
    [
        ([task("a", SUMS), task("a", MORE)], "tasks.1.name", "task 0 is called 'a', too"),
        ([task("a", SUMS, after=["a"])], "tasks.0.after.0", "the task waits for itself"),
        ([task("a", SUMS, after=["b"])], "tasks.0.after.0", "there is no task 'b'"),
        (
            [task("a", SUMS, after=["b"]), task("b", MORE, after=["a"])],
            "tasks",
            "the tasks wait for each other: a → b → a",
        ),
        ([task("a", SUMS), task("b", SUMS)], "tasks.1.source", "each case counts once"),
        ([task("a", {"dataset": "None"})], "tasks.0.source", "there is no dataset 'None'"),
        ([task("a", {"dataset": "Sums", "version": 9})], "tasks.0.source", "the newest is 1"),
        ([task("a", {"dataset": "Draft", "version": 1})], "tasks.0.source", "only PUBLISHED ones run"),
        ([task("a", {"dataset": "Draft"})], "tasks.0.source", "publish one first"),
        ([task("a", {"collection": "None"})], "tasks.0.source", "there is no collection None"),
        (
            [task("a", SUMS, evaluators=[{"kind": "magic"}])],
            "tasks.0.evaluators.0.kind",
            "magic",
        ),
        (
            [task("a", SUMS, evaluators=[{"kind": "contains", "params": {"texts": ["1"], "size": 1}}])],
            "tasks.0.evaluators.0.params.size",
            "",
        ),
        (
            [task("a", SUMS, evaluators=[{"kind": "rubric", "pass_threshold": 11}])],
            "tasks.0.evaluators.0.pass_threshold",
            "0 to 10",
        ),
        ([task("a", SUMS, evaluators=[{"kind": "rubric", "weight": 0}])], "tasks.0.evaluators", "a weight above 0"),
        ([task("a", SUMS, evaluators=[{"kind": "rubric"}] * 2)], "tasks.0.evaluators.1", "same parameters"),
        ([task("a/b", SUMS)], "tasks.0.name", "slash"),
        ([task("a", {"dataset": "Sums", "collection": "Sums"})], "tasks.0.source", "name one of"),
        ([task("a", {"collection": "Sums", "version": 1})], "tasks.0.source", "a version needs"),
        (
            [task("a", SUMS, gate={"task": "b", "min_score": 1})],
            "tasks.0.gate.0.task",
            "there is no task 'b'; there are a",
        ),
        ([task("a", SUMS, gate={"task": "a", "min_score": 1})], "tasks.0.gate.0.task", "the task waits for itself"),
        (
            [task("a", SUMS), task("b", MORE, gate=[{"task": "a", "min_score": 1}, {"task": "a", "min_score": 0.5}])],
            "tasks.1.gate.1.task",
            "'a' is named twice",
        ),
        (
            [task("a", SUMS, gate={"task": "b", "min_score": 1}), task("b", MORE, after=["a"])],
            "tasks",
            "the tasks wait for each other: a → b → a",
        ),
        (
            [task("a", SUMS), task("b", MORE, gate={"task": "a", "min_score": 1.5})],
            "tasks.1.gate.0.min_score",
            "must be at most 1",
        ),
        (
            [task("a", SUMS, evaluators=[{"kind": "rubric"}]), task("b", MORE, gate={"task": "a", "min_score": 1})],
            "tasks.1.gate.0.task",
            "'a' needs evaluators, none of which may ask a model",
        ),
        (
            [task("a", SUMS, evaluators=[]), task("b", MORE, gate={"task": "a", "min_score": 1})],
            "tasks.1.gate.0.task",
            "'a' needs evaluators",
        ),
        ([task(f"t{n}", SUMS) for n in range(101)], "tasks", "brings its own evaluators"),
    ],
)
async def test_invalid_suite_is_refused_with_its_field(
    api: httpx.AsyncClient, judge: None, tasks: list[dict[str, Any]], field: str, message: str
) -> None:
    await published(api, "Sums")
    await published(api, "More")
    await upload_version(api, await dataset(api, "Draft"), jsonl(*numbered(1)))
    problem = assert_problem(await api.post(PATH, json=suite(*tasks)), 422, field)
    errors: Any = problem["errors"]
    assert message in errors[0]["message"]


async def test_weighted_suite_without_a_weight_is_refused(api: httpx.AsyncClient, judge: None) -> None:
    await published(api, "Sums")
    body = suite(task("a", SUMS, weight=0), aggregation="weighted")
    assert_problem(await api.post(PATH, json=body), 422, "tasks")


async def test_unreachable_judge_service_is_a_503(api: httpx.AsyncClient) -> None:
    await published(api, "Sums")
    assert_problem(await api.post(PATH, json=suite(task("a", SUMS))), 503)
    assert (await api.post(PATH, json=suite(task("a", SUMS, evaluators=[])))).status_code == 201


async def test_dataset_of_a_published_suite_cannot_be_deleted(api: httpx.AsyncClient, judge: None) -> None:
    version_id = await published(api, "Sums")
    (found,) = (await api.get("/v1/datasets")).json()["datasets"]
    path = f"/v1/datasets/{found['dataset_id']}"
    made = await create_resource(api, PATH, **suite(task("a", {"dataset_version_id": version_id})))
    await api.post(f"{PATH}/{made['id']}/publish")
    problem = assert_problem(await api.delete(path), 409)
    assert problem["suite_ids"] == [made["id"]]
    assert "'Nightly v1'" in str(problem["detail"])
    await api.delete(f"{PATH}/{made['id']}")
    assert (await api.delete(path)).status_code == 204


async def test_collection_of_a_published_suite_cannot_be_deleted(api: httpx.AsyncClient, judge: None) -> None:
    path = f"/api/collections/{await collection(api, 'Words')}"
    made = await create_resource(api, PATH, **suite(task("a", {"collection": "Words"})))
    await api.post(f"{PATH}/{made['id']}/publish")
    problem = assert_problem(await api.delete(path), 409)
    assert problem["suite_ids"] == [made["id"]]
    assert "'Nightly v1'" in str(problem["detail"])
    await api.delete(f"{PATH}/{made['id']}")
    assert (await api.delete(path)).status_code == 204


async def test_draft_of_a_deleted_dataset_shows_it_and_is_not_published(api: httpx.AsyncClient, judge: None) -> None:
    await published(api, "Sums")
    (found,) = (await api.get("/v1/datasets")).json()["datasets"]
    made = await create_resource(api, PATH, **suite(task("a", SUMS)))
    assert (await api.delete(f"/v1/datasets/{found['dataset_id']}")).status_code == 204
    shown = (await api.get(f"{PATH}/{made['id']}")).json()
    assert (shown["tasks"][0]["cases"], shown["tasks"][0]["source_name"]) == (None, "Sums")
    assert_problem(await api.post(f"{PATH}/{made['id']}/publish"), 422, "tasks.0.source")


async def test_applied_file_creates_updates_and_makes_versions(api: httpx.AsyncClient, judge: None) -> None:
    await published(api, "Sums")
    schema = {"name": "answer", "json_schema": {"type": "object", "properties": {"b": {}, "a": {}}, "required": []}}
    body = suite(task("a", SUMS, params={"response_schema": schema, "stop": ["#"]}))

    async def apply(suite: dict[str, Any], **more: Any) -> tuple[str, int, str]:
        answer = await api.post(f"{PATH}/apply", json={"suite": suite} | more)
        assert answer.status_code == 200, answer.text
        applied = answer.json()
        return applied["change"], applied["suite"]["version_number"], applied["suite"]["status"]

    assert await apply(body) == ("created", 1, "DRAFT")
    assert await apply(body) == ("unchanged", 1, "DRAFT")
    assert await apply(body | {"description": "d"}) == ("updated", 1, "DRAFT")
    assert await apply(body | {"description": "d"}, publish=True) == ("unchanged", 1, "PUBLISHED")
    assert await apply(body | {"description": "d"}, publish=True) == ("unchanged", 1, "PUBLISHED")
    assert await apply(body, publish=True) == ("new_version", 2, "PUBLISHED")
    (shown,) = (await api.get(PATH)).json()["items"]
    stored = shown["definition"]["tasks"][0]["params"]["response_schema"]["json_schema"]
    assert list(stored["properties"]) == ["b", "a"], "models write fields in the order of the schema"
    assert await apply(shown["definition"]) == ("unchanged", 2, "PUBLISHED")


async def test_schema_accepts_what_the_service_accepts(api: httpx.AsyncClient, judge: None) -> None:
    await published(api, "Sums")
    schema = (await api.get(f"{PATH}/schema")).json()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    body = suite(task("a", SUMS, sample={"size": 2}, epochs=2))
    made = await create_resource(api, PATH, **body)
    assert validator.is_valid(body)
    assert validator.is_valid(made["definition"])
    assert not validator.is_valid(body | {"aggregate": "mean"})
    assert not validator.is_valid(suite(task("a", SUMS, gates=[])))


async def test_versions_of_a_suite_are_one_family_that_goes_with_the_last_of_them(
    api: httpx.AsyncClient, judge: None
) -> None:
    await published(api, "Sums")
    made = (await api.post(PATH, json=suite(task("sums", SUMS), name="Old"))).json()
    path = f"{PATH}/{made['id']}"
    renamed = (await api.put(path, json=suite(task("sums", SUMS), name="Nightly"))).json()
    assert renamed["family_id"] == made["family_id"]
    await api.post(f"{path}/publish")
    second = (await api.post(f"{path}/versions")).json()
    assert (second["version_number"], second["family_id"]) == (2, made["family_id"])
    other = (await api.post(PATH, json=suite(task("sums", SUMS), name="Old"))).json()
    assert other["family_id"] != made["family_id"]
    assert (await api.delete(path)).status_code == 204
    third = (await api.post(f"{PATH}/{second['id']}/publish")).json()
    assert third["family_id"] == made["family_id"], "a version is left"
    assert (await api.delete(f"{PATH}/{second['id']}")).status_code == 204
    again = (await api.post(PATH, json=suite(task("sums", SUMS), name="Nightly"))).json()
    assert again["family_id"] not in (made["family_id"], other["family_id"])


async def test_gates_are_kept_and_exported(api: httpx.AsyncClient, judge: None) -> None:
    await published(api, "Sums")
    await published(api, "More")
    gate = {"task": "a", "min_score": 0.5}
    body = suite(task("a", SUMS), task("b", MORE, gate=gate))
    made = await create_resource(api, PATH, **body)
    schema = (await api.get(f"{PATH}/schema")).json()
    assert Draft202012Validator(schema).is_valid(body)
    assert Draft202012Validator(schema).is_valid(made["definition"])
    assert [task["gate"] for task in made["definition"]["tasks"]] == [[], [gate]]
    assert [(facts["level"], facts["gate"]) for facts in made["tasks"]] == [(0, []), (1, [gate])]
    for again in (body, made["definition"]):
        answer = await api.post(f"{PATH}/apply", json={"suite": again})
        assert answer.json()["change"] == "unchanged"
