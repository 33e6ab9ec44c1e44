"""Test that a run takes its cases from collections, published dataset versions, or both, and keeps its own copy of
them."""

from typing import Any
from uuid import UUID, uuid4

import httpx
from run_versions import insert_version
from run_world import World
from sqlalchemy import text

from llmbench.contracts.judge_answer import JudgeAnswer

CASES: list[dict[str, Any]] = [
    {
        "name": "vacation",
        "input": {
            "prompt": "How do I ask for leave?",
            "context": "Leave is asked for in the portal.",
            "system_prompt": "Be brief.",
            "conversation": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
        },
        "expected_output": "In the portal.",
        "metadata": {"category": "hr", "tags": ["leave", None]},
        "truth": {"answer": "In the portal.", "acceptable_answers": ["By the portal."], "rubric": {"good": "Portal."}},
    },
    {"name": "plain", "input": {"prompt": "Why?"}, "expected_output": None, "metadata": {}, "truth": None},
]


async def _version(world: World, *names: str, status: str = "PUBLISHED", dataset: str = "Leave") -> UUID:
    """Insert a version of the dataset `dataset` with the cases of `CASES` that have one of these names. Return the
    version's id."""
    chosen = [case for case in CASES if case["name"] in names]
    return await insert_version(world, chosen, status=status, dataset=dataset)


async def _refusal(world: World, **more: Any) -> dict[str, str]:
    """Return the message for each field of a refused request."""
    answer: httpx.Response = await world.http.post("/api/runs", json=world.body(**more))
    assert answer.status_code == 422, answer.text
    return {fault["field"]: fault["message"] for fault in answer.json()["errors"]}


async def test_run_of_a_version_asks_its_cases_with_all_their_fields(world: World) -> None:
    version = await _version(world, "vacation", "plain")
    params = {"system_prompt": "You are kind."}
    run_id = await world.start(collection_ids=[], dataset_version_ids=[str(version)], params=params)
    run = await world.until_status(run_id, "FINISHED")
    assert run["collections"] == []
    [drawn] = run["dataset_versions"]
    assert (drawn["version_id"], drawn["name"], drawn["version_number"]) == (str(version), "Leave", 3)

    items = await world.items(run_id)
    assert [(item["task_id"], item["category"]) for item in items] == [("vacation", "hr"), ("plain", "Leave")]
    requests = [[(message.role, message.content) for message in call.request.messages] for call in world.calls()]
    assert requests == [
        [
            ("system", "You are kind.\n\nBe brief."),
            ("user", "Hi"),
            ("assistant", "Hello"),
            ("user", "Context:\nLeave is asked for in the portal.\n\nQuestion:\nHow do I ask for leave?"),
        ],
        [("system", "You are kind."), ("user", "Why?")],
    ]
    judged = {command.case.task_id: command.case for command in world.seen if isinstance(command, JudgeAnswer)}
    case = judged["vacation"]
    assert (case.expected_output, case.good, case.excellent) == ("In the portal.", "Portal.", None)
    assert case.metadata == {"category": "hr", "tags": ["leave", None]}
    assert case.ground_truth is not None
    assert (case.ground_truth.acceptable_answers, case.ground_truth.confidence) == (("By the portal.",), 0.5)
    assert judged["plain"].ground_truth is None

    # The run keeps its names and items when the dataset is deleted.
    async with world.engine.begin() as connection:
        await connection.execute(text("DELETE FROM dataset"))
    assert (await world.http.get(f"/api/runs/{run_id}")).json()["dataset_versions"] == [drawn]
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{items[0]['id']}")).json()
    assert detail["case"]["context"] == "Leave is asked for in the portal."


async def test_run_may_combine_collections_and_versions(world: World) -> None:
    first = await _version(world, "plain")
    second = await _version(world, "vacation", dataset="More")
    run_id = await world.start("model-a", "model-b", dataset_version_ids=[str(second), str(first)], epochs=2)
    run = await world.until_status(run_id, "FINISHED")
    assert [drawn["name"] for drawn in run["dataset_versions"]] == ["More", "Leave"]
    items = await world.items(run_id)
    names = [item["task_id"] for item in items]
    tasks = len(names) // 4 - 2
    assert names[tasks : tasks + 2] == ["vacation", "plain"]
    assert names == names[: tasks + 2] * 4
    assert [item["position"] for item in items] == list(range(len(items)))


async def test_unpublished_unknown_or_repeated_version_is_refused_with_its_field(world: World) -> None:
    draft = await _version(world, "plain", status="DRAFT")
    old = await _version(world, "plain", status="DEPRECATED", dataset="Old")
    good = await _version(world, "plain", dataset="Good")
    ids = [str(draft), str(old), str(uuid4()), str(good), str(good)]
    faults = await _refusal(world, dataset_version_ids=ids)
    assert set(faults) == {f"dataset_version_ids.{index}" for index in (0, 1, 2, 4)}
    assert "version 3 of 'Leave' is DRAFT" in faults["dataset_version_ids.0"]
    assert set(await _refusal(world, collection_ids=[])) == {"collection_ids"}
    # Case names must be unique within a run.
    twin = await _version(world, "plain", dataset="Twin")
    faults = await _refusal(world, dataset_version_ids=[str(good), str(twin)])
    assert "two cases of this run are called 'plain'" in faults["dataset_version_ids"]
