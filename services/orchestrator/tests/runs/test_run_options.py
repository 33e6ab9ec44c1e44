"""Test the options of a run: texts, limits, epochs, cost, cache, and the choice of judges."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from run_world import World, answered, scored

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Answered, Cost, Outcome


def costing(usd: float | None, *, cached: bool = False) -> Answered:
    cost = None if usd is None else Cost(usd=usd, source="own_price")
    return answered().model_copy(update={"cost": cost, "cached": cached})


async def test_texts_of_a_run_are_stored_and_can_be_changed(world: World) -> None:
    first = await world.start(name="First", description="A try", tags=["nightly", "small", "nightly"])
    await world.until_status(first, "FINISHED")
    second = await world.start(baseline_run_id=str(first))
    run = await world.until_status(second, "FINISHED")
    assert run["baseline_run_id"] == str(first)
    found = (await world.http.get(f"/api/runs/{first}")).json()
    assert (found["description"], found["tags"]) == ("A try", ["nightly", "small"])
    changed = await world.http.patch(f"/api/runs/{first}", json={"name": "Renamed", "tags": []})
    assert changed.status_code == 200
    assert (changed.json()["name"], changed.json()["tags"], changed.json()["description"]) == ("Renamed", [], "A try")
    assert (await world.http.patch(f"/api/runs/{first}", json={"status": "x"})).status_code == 422
    assert (await world.http.patch(f"/api/runs/{first}", json={"baseline_run_id": str(uuid4())})).status_code == 422
    assert (await world.http.patch(f"/api/runs/{uuid4()}", json={"name": "x"})).status_code == 404
    await world.http.delete(f"/api/runs/{first}")
    assert (await world.http.get(f"/api/runs/{second}")).json()["baseline_run_id"] is None


async def test_unknown_baseline_is_refused(world: World) -> None:
    response = await world.http.post("/api/runs", json=world.body(baseline_run_id=str(uuid4())))
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "baseline_run_id")


async def test_target_options_override_those_of_the_run(world: World) -> None:
    provider = str(world.provider_id)
    targets = [
        {"provider_id": provider, "model": "model-a", "label": "plain"},
        {
            "provider_id": provider,
            "model": "model-a",
            "label": "own",
            "params": {"temperature": 1, "options": {"num_ctx": 2048}},
            "epochs": 2,
            "timeout_s": 7,
            "max_attempts": 1,
            "use_cache": True,
            "concurrency": 2,
        },
    ]
    params = {"temperature": 0, "seed": 7, "system_prompt": "Be brief.", "options": {"top_k": 3}}
    run_id = await world.start(targets=targets, params=params, concurrency=4, timeout_s=60)
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"]["items"] == 9
    assert [(target["epochs"], target["timeout_s"], target["max_attempts"]) for target in run["targets"]] == [
        (1, 60, 3),
        (2, 7, 1),
    ]
    assert run["groups"][0]["concurrency"] == 2, "one queue: the most careful target sets the pace"
    calls = {(call.item_id, call.epoch): call for call in world.calls()}
    own = [call for call in calls.values() if call.use_cache]
    assert sorted(call.epoch for call in own) == [1, 1, 1, 2, 2, 2]
    for call in calls.values():
        assert (call.request.params.seed, call.request.messages[0].content) == (7, "Be brief.")
        assert call.request.params.temperature == (1 if call.use_cache else 0)
        assert call.timeout_s == (7 if call.use_cache else 60)
        assert call.request.params.options == ({"top_k": 3, "num_ctx": 2048} if call.use_cache else {"top_k": 3})


async def test_response_schema_reaches_the_request_of_its_target_only(world: World) -> None:
    schema = {"name": "sum", "json_schema": {"type": "object", "properties": {"why": {}, "sum": {}, "a": {}}}}
    provider = str(world.provider_id)
    targets = [
        {"provider_id": provider, "model": "model-a", "label": "by schema", "params": {"response_schema": schema}},
        {"provider_id": provider, "model": "model-a", "label": "plain"},
    ]
    run = await world.until_status(await world.start(targets=targets), "FINISHED")
    assert [target["params"]["response_schema"] for target in run["targets"]] == [schema, None]
    requests = [call.request for call in world.calls() if call.item_id]
    assert requests[0].response_schema is not None
    assert list(requests[0].response_schema.json_schema["properties"]) == ["why", "sum", "a"], (
        "in the order of the user"
    )
    assert [request.response_schema and request.response_schema.json_schema for request in requests] == [
        *([schema["json_schema"]] * 3),
        *([None] * 3),
    ]
    assert all(request.params.response_schema is None for request in requests)
    for where, params in (("params", {"name": "a b", "json_schema": {}}), ("judge.params", schema)):
        judge = {"provider_id": provider, "model": "judge"}
        body = world.body(judge=judge | ({"params": {"response_schema": params}} if where != "params" else {}))
        body |= {"params": {"response_schema": params}} if where == "params" else {}
        response = await world.http.post("/api/runs", json=body)
        assert (response.status_code, response.json()["errors"][0]["field"]) == (422, f"{where}.response_schema")


async def test_costs_add_up_and_unknown_prices_are_counted(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return costing(None if command.purpose == Purpose.WARM_UP else 0.25)

    async def judge(_: JudgeAnswer) -> Verdict:
        return scored()

    world.answer, world.judge = answer, judge
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert (run["cost_usd"], run["unpriced_calls"]) == (0.75, 2)
    assert (run["totals"]["cost_usd"], run["totals"]["priced"]) == (0.75, 3)
    assert [item["cost_usd"] for item in await world.items(run_id)] == [0.25] * 3


async def test_cost_of_a_finished_run_is_divided_and_its_parts_add_up(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return costing(0.125 if command.purpose == Purpose.WARM_UP else 0.25)

    world.answer = answer
    run = await world.until_status(await world.start(), "FINISHED")
    # The model and the judge were each warmed up.
    assert run["cost_usd"] == 1.0
    assert run["cost_parts"] == {"answers_usd": 0.75, "judging_usd": 0.0, "other_usd": 0.25}


async def test_run_pauses_at_its_cost_limit_and_resumes_with_a_higher_one(world: World) -> None:
    async def answer(_: GenerateCompletion) -> Outcome:
        return costing(0.4)

    world.answer = answer
    run_id = await world.start(max_cost_usd=1)
    run = await world.until_status(run_id, "PAUSED")
    assert "cost limit of $1.00" in run["status_reason"]
    assert run["cost_parts"] is None
    refused = await world.http.post(f"/api/runs/{run_id}/resume")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (409, "max_cost_usd")
    assert (await world.http.post(f"/api/runs/{run_id}/resume", json={"max_cost_usd": 100})).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["max_cost_usd"], run["status_reason"]) == ("complete", 100, None)


async def test_cached_answer_is_not_counted_in_the_times(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return costing(0, cached="What is 1" in command.request.messages[-1].content)

    world.answer = answer
    run_id = await world.start(use_cache=True)
    run = await world.until_status(run_id, "FINISHED")
    assert (run["totals"]["timed"], run["totals"]["cached"]) == (2, 1)
    chosen = await world.http.get(f"/api/runs/{run_id}/items", params={"cached": "true"})
    assert [item["task_id"] for item in chosen.json()["items"]] == ["task-1"]


async def test_run_sent_twice_with_one_idempotency_key_is_created_once(world: World) -> None:
    body, key = world.body(), {"Idempotency-Key": "k1"}
    both = await asyncio.gather(*(world.http.post("/api/runs", json=body, headers=key) for _ in range(2)))
    assert {response.status_code for response in both} == {201}, [response.text for response in both]
    (run_id,) = {response.json()["id"] for response in both}
    await world.until_status(run_id, "FINISHED")
    again = await world.http.post("/api/runs", json=body, headers=key)
    assert (again.status_code, again.json()["id"]) == (201, run_id)
    other = await world.http.post("/api/runs", json=world.body("model-b"), headers=key)
    assert (other.status_code, other.json()["title"]) == (422, "Idempotency-Key used before")


async def test_judge_among_the_targets_is_refused_unless_allowed(world: World) -> None:
    refused = await world.http.post("/api/runs", json=world.body("judge"))
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "judge.model")
    run_id = await world.start("judge", allow_self_judging=True)
    run = await world.until_status(run_id, "FINISHED")
    assert [warning["kind"] for warning in run["warnings"]] == ["self_judging"]


@pytest.mark.parametrize(
    "more",
    [
        {"epochs": 0},
        {"tags": [""]},
        {"max_cost_usd": 0},
        {"targets": [{"model": "model-a"}]},
        {"description": "x" * 10_001},
        {"name": "a\0b"},
        {"params": {"temprature": 1}},
        {"params": {"options": {"a": ["\0"]}}},
    ],
)
async def test_invalid_option_is_refused_with_its_field(world: World, more: dict[str, Any]) -> None:
    response = await world.http.post("/api/runs", json=world.body() | more)
    assert response.status_code == 422
    problem = response.json()["errors"][0]
    assert next(iter(more)) in problem["field"] or "NUL" in problem["message"]
