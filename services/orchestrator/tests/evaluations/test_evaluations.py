"""Test `/v1/evaluations`. An output is scored while the client waits, even during an active run, unless the evaluation
needs another local model. Such an evaluation is refused, or waits in the queue if the request allows it (`sync:
false`)."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest
from run_world import World, answered, contained, open_world, scored

from llmbench.contracts.answer_scored import Scored, Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome

CONTAINS: dict[str, Any] = {"kind": "contains", "params": {"text": "42"}}
SUM: dict[str, Any] = {"input": "17 + 25?", "output": " 42 ", "expected_output": "42"}


async def by_kind(command: JudgeAnswer) -> Verdict:
    match command.evaluator.kind:
        case "contains":
            return contained("42" in command.answer)
        case "g_eval":
            return Scored(raw=4, scale_min=1, scale_max=5, normalised=0.75, passed=True, reason="It is relevant.")
    return scored(8)


def commands(world: World) -> list[JudgeAnswer]:
    return [command for command in world.seen if isinstance(command, JudgeAnswer)]


async def refusal(world: World, status: int, path: str = "", **body: Any) -> dict[str, str]:
    answer = await world.http.post(f"/v1/evaluations{path}", json=body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return {error["field"]: error["message"] for error in answer.json().get("errors", [])}


async def test_single_output_is_scored_while_the_client_waits(world: World) -> None:
    world.judge = by_kind
    body = SUM | {
        "context": "Sums.",
        "metrics": ["relevance", "terse"],
        "evaluators": [CONTAINS],
        "config": {
            "evaluator_model": "judge",
            "custom_rubrics": {"terse": {"description": "Short.", "anchors": ["a", "b", "c", "d", "e"]}},
        },
        "metadata": {"model_name": "judge-mini", "prompt_version": "7"},
    }
    answer = await world.http.post("/v1/evaluations", json=body, headers={"Idempotency-Key": "one"})
    assert answer.status_code == 201, answer.text
    evaluation = answer.json()
    assert evaluation["status"] == "completed"
    assert evaluation["scores"] == {"relevance": 0.75, "terse": 0.75, "contains": 1}
    assert evaluation["reasoning"]["relevance"] == "It is relevant."
    assert [(result["metric"], result["raw"], result["scale_max"]) for result in evaluation["results"]] == [
        ("relevance", 4, 5),
        ("terse", 4, 5),
        ("contains", 1, 1),
    ]
    assert evaluation["metadata"] == {"model_name": "judge-mini", "prompt_version": "7"}
    assert "its own family" in evaluation["warnings"][0]
    assert evaluation["latency_ms"] >= 0
    assert answer.headers["Location"] == f"/v1/evaluations/{evaluation['evaluation_id']}"
    assert (await world.http.get(answer.headers["Location"])).json() == evaluation
    assert not world.calls(), "no target is called"
    first = commands(world)[0]
    assert (first.answer, first.case.question, first.case.context) == (" 42 ", "17 + 25?", "Sums.")
    assert {command.evaluator.params.get("criterion") for command in commands(world)} == {"relevance", "custom", None}
    # The same request returns the same evaluation. A different request with the same key is refused.
    again = await world.http.post("/v1/evaluations", json=body, headers={"Idempotency-Key": "one"})
    assert again.json() == evaluation
    assert len(commands(world)) == 3
    other = await world.http.post("/v1/evaluations", json=body | {"output": "41"}, headers={"Idempotency-Key": "one"})
    assert other.status_code == 422
    # An evaluation is a run with one answer. Lists of runs hide it by default and show it on request.
    run_id = evaluation["evaluation_id"]
    assert (await world.http.get("/api/runs")).json()["items"] == []
    (run,) = (await world.http.get("/api/runs", params={"type": "SINGLE"})).json()["items"]
    assert (run["id"], run["type"], run["targets"][0]["provider_id"]) == (run_id, "SINGLE", None)
    (item,) = await world.items(UUID(run_id))
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json()
    assert (detail["answer"], detail["target_label"]) == (" 42 ", "judge-mini")
    export = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "jsonl"})).json()
    assert export["answer"] == " 42 "
    found = (await world.http.get(f"/api/runs/{run_id}/items/count", params={"q": "42"})).json()
    assert found["items"] == 1
    assert (await world.http.get(f"/api/runs/{run_id}")).json()["totals"]["scored"] == 1
    # Further evaluators can score the output; the client need not send it again.
    more = await world.http.post(f"/api/runs/{run_id}/evaluators", json={"evaluators": [CONTAINS | {"name": "x"}]})
    assert more.status_code == 422
    more = await world.http.post(
        f"/api/runs/{run_id}/evaluators",
        json={"evaluators": [{"kind": "contains", "params": {"text": "4"}, "name": "x"}]},
    )
    assert more.status_code == 202
    await world.until_status(UUID(run_id), "FINISHED")
    assert (await world.http.get(answer.headers["Location"])).json()["scores"]["x"] == 1


async def test_unreadable_verdict_fails_the_evaluation_and_can_be_retried(world: World) -> None:
    async def unparsed(_: JudgeAnswer) -> Verdict:
        return Unparsed(problem="no JSON", raw_text="I like it")

    world.judge = unparsed
    body = SUM | {"metrics": ["rubric"], "config": {"evaluator_model": "judge"}}
    evaluation = (await world.http.post("/v1/evaluations", json=body)).json()
    assert (evaluation["status"], evaluation["scores"], evaluation["errors"]) == ("failed", {}, {"rubric": "no JSON"})
    world.judge = by_kind
    retried = await world.http.post(f"/api/runs/{evaluation['evaluation_id']}/retry-failed")
    assert retried.status_code == 202
    await world.until_status(UUID(evaluation["evaluation_id"]), "FINISHED")
    again = (await world.http.get(f"/v1/evaluations/{evaluation['evaluation_id']}")).json()
    assert (again["status"], again["scores"]) == ("completed", {"rubric": 0.8})


async def test_invalid_evaluation_is_refused_with_its_fields(world: World) -> None:
    assert set(await refusal(world, 422, **SUM)) == {"metrics"}
    faults = await refusal(world, 422, **SUM, metrics=["contains", "bliss"])
    assert "faithfulness, relevance, contains" in faults["metrics.1"]
    faults = await refusal(world, 422, **SUM, metrics=["rubric"])
    assert "no provider has the model 'gpt-4o-mini'" in faults["config.evaluator_model"]
    nobody = {"judge": {"provider_id": str(uuid4()), "model": "judge"}}
    assert set(await refusal(world, 422, **SUM, metrics=["rubric"], config=nobody)) == {"config.judge.provider_id"}
    absent = {"judge": {"provider_id": str(world.provider_id), "model": "absent"}}
    assert set(await refusal(world, 422, **SUM, metrics=["rubric"], config=absent)) == {"config.judge.model"}
    assert set(await refusal(world, 422, **SUM | {"input": {"prompt": " "}}, evaluators=[CONTAINS])) == {"input"}
    assert set(await refusal(world, 422, **SUM | {"output": "a\0b"}, evaluators=[CONTAINS])) == {"body"}
    assert set(await refusal(world, 422, **SUM, metrics=["contains"])) == {"metrics.0.params.text"}
    unused: dict[str, Any] = {"custom_rubrics": {"terse": {}}}
    assert set(await refusal(world, 422, **SUM, evaluators=[CONTAINS], config=unused)) == {
        "config.custom_rubrics.terse"
    }
    assert (await world.http.get(f"/v1/evaluations/{uuid4()}")).status_code == 404
    # Two providers have a model of this name, so the request has to name the provider.
    await world.add_provider("Mock too")
    faults = await refusal(world, 422, **SUM, metrics=["rubric"], config={"evaluator_model": "judge"})
    assert "2 providers have the model 'judge': Mock" in faults["config.evaluator_model"]


async def test_during_an_active_run_only_evaluations_that_do_not_disturb_it_start(world: World) -> None:
    world.judge = by_kind
    held = asyncio.Event()

    async def slow(_: GenerateCompletion) -> Outcome:
        await held.wait()
        return answered()

    world.answer = slow
    run_id = await world.start("model-a", evaluators=[{"kind": "rubric"}])
    await world.until(run_id, lambda run: bool(world.calls(Purpose.WARM_UP)))
    # An evaluation that calls no model starts at once, and the other run stays the active one.
    evaluation = (await world.http.post("/v1/evaluations", json=SUM | {"evaluators": [CONTAINS]})).json()
    assert evaluation["status"] == "completed"
    assert (await world.http.post("/api/runs", json=world.body())).status_code == 409
    # An evaluation with a different local model is refused, unless it may wait.
    wanted = SUM | {"metrics": ["rubric"], "config": {"evaluator_model": "model-b"}}
    answer = await world.http.post("/v1/evaluations", json=wanted)
    assert answer.status_code == 409
    assert "holds another local model" in answer.json()["detail"]
    queued = []
    for model in ("model-b", "judge"):
        config = {"evaluator_model": model, "sync": False}
        answer = await world.http.post("/v1/evaluations", json=wanted | {"config": config})
        assert (answer.status_code, answer.json()["status"]) == (202, "pending")
        assert answer.json()["run_status"] == "QUEUED"
        queued.append(UUID(answer.json()["evaluation_id"]))
    (waiting, _) = (await world.http.get("/v1/evaluations", params={"status": "PENDING"})).json()["runs"]
    assert waiting["run_id"] == str(queued[1])
    # Queued evaluations start in order, once the run is over.
    held.set()
    await world.until_status(run_id, "FINISHED")
    ended = [await world.until_status(evaluation_id, "FINISHED") for evaluation_id in queued]
    assert ended[0]["finished_at"] <= ended[1]["started_at"]


async def test_request_with_a_slow_judge_returns_pending_after_the_timeout(postgres_url: str, nats_url: str) -> None:
    held = asyncio.Event()

    async def slow(command: JudgeAnswer) -> Verdict:
        await held.wait()
        return await by_kind(command)

    async with open_world(postgres_url, nats_url, sync_wait_s=0.2) as world:
        world.judge = slow
        answer = await world.http.post("/v1/evaluations", json=SUM | {"evaluators": [CONTAINS]})
        assert (answer.status_code, answer.json()["status"]) == (202, "pending")
        held.set()
        run_id = UUID(answer.json()["evaluation_id"])
        await world.until_status(run_id, "FINISHED")
        assert (await world.http.get(f"/v1/evaluations/{run_id}")).json()["scores"] == {"contains": 1}


LISTED: list[tuple[dict[str, Any], int]] = [
    ({}, 2),
    ({"limit": 1}, 2),
    ({"offset": 1}, 2),
    ({"type": "SINGLE"}, 1),
    ({"type": "BATCH"}, 0),
    ({"status": "COMPLETED"}, 2),
    ({"status": "FAILED"}, 0),
    ({"created_after": "2020-01-01T00:00:00Z"}, 2),
    ({"created_before": "2020-01-01T00:00:00Z"}, 0),
    ({"dataset_version_id": str(UUID(int=1))}, 0),
]


async def test_evaluation_list_includes_every_run_and_filters_it(world: World) -> None:
    world.judge = by_kind
    await world.until_status(await world.start("model-a"), "FINISHED")
    single = (await world.http.post("/v1/evaluations", json=SUM | {"evaluators": [CONTAINS]})).json()
    for chosen, total in LISTED:
        page = (await world.http.get("/v1/evaluations", params=chosen)).json()
        assert (page["total"], page["has_more"]) == (total, chosen.get("limit") == 1), chosen
    newest, benchmark = (await world.http.get("/v1/evaluations")).json()["runs"]
    assert (newest["run_id"], newest["type"], newest["status"]) == (single["evaluation_id"], "SINGLE", "COMPLETED")
    assert (newest["summary_scores"], newest["total_items"]) == ({"contains": 1}, 1)
    assert (benchmark["type"], benchmark["summary_scores"]) == ("BENCHMARK", {"rubric": pytest.approx(0.8)})
    assert (await world.http.get("/v1/evaluations", params={"limit": 101})).status_code == 422


def vote(world: World, *models: str, **more: Any) -> dict[str, Any]:
    judges = [{"provider_id": str(world.provider_id), "model": model} for model in models]
    return {"kind": "rubric", "panel": {"judges": judges}} | more


async def test_panel_scores_an_output_and_only_its_median_is_shown(world: World) -> None:
    async def by_judge(command: JudgeAnswer) -> Verdict:
        return scored({"judge": 9, "model-a": 4}[command.lane.model])

    world.judge = by_judge
    body = SUM | {"evaluators": [vote(world, "judge", "model-a")], "metadata": {"model_name": "judge-mini"}}
    answer = await world.http.post("/v1/evaluations", json=body)
    assert answer.status_code == 201, answer.text
    evaluation = answer.json()
    assert evaluation["scores"] == {"rubric": 0.65}
    assert [(result["metric"], result["raw"], result["passed"]) for result in evaluation["results"]] == [
        ("rubric", 6.5, True)
    ]
    assert [verdict["raw"] for verdict in evaluation["results"][0]["details"]["verdicts"]] == [9, 4]
    assert [judge_command.lane.model for judge_command in commands(world)] == ["judge", "model-a"]
    assert "its own family" in evaluation["warnings"][0]


async def test_invalid_panel_of_an_evaluation_is_refused_with_its_field(world: World) -> None:
    nobody = {"judges": [{"provider_id": str(uuid4()), "model": name} for name in ("a", "b")]}
    faults = await refusal(world, 422, **SUM, evaluators=[vote(world, "judge") | {"panel": nobody}])
    assert set(faults) == {f"evaluators.0.panel.judges.{index}.provider_id" for index in (0, 1)}
    two = vote(world, "judge", "model-a")["panel"]
    assert set(await refusal(world, 422, **SUM, evaluators=[CONTAINS | {"panel": two}])) == {"evaluators.0.panel"}


async def test_evaluations_chat_judge_is_refused_as_embedding_model(world: World) -> None:
    """An evaluator that needs embeddings is refused if it names no model of its own. The evaluation's judge is a chat
    model, which cannot compute useful embeddings."""
    embeds = {"kind": "semantic_similarity", "params": {"embedding": "provider"}}
    body = SUM | {"metrics": ["rubric"], "evaluators": [embeds], "config": {"evaluator_model": "judge"}}
    faults = await refusal(world, 422, **body)
    assert set(faults) == {"evaluators.0.judge"}
    assert "name it here" in faults["evaluators.0.judge"]


async def test_evaluation_accepts_a_cost_limit(world: World) -> None:
    world.judge = by_kind
    body = SUM | {"metrics": ["rubric"], "config": {"evaluator_model": "judge"}, "max_cost_usd": 0.5}
    evaluation = (await world.http.post("/v1/evaluations", json=body)).json()
    run = (await world.http.get(f"/api/runs/{evaluation['evaluation_id']}")).json()
    assert run["max_cost_usd"] == 0.5
    assert set(await refusal(world, 422, **(body | {"max_cost_usd": -1}))) == {"max_cost_usd"}
