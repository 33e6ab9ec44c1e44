"""Test the evaluators that a request chooses for a run, and their results: programs, several judges, and weights."""

import csv
import io
import json
from typing import Any
from uuid import UUID

import pytest
from run_world import World, answered, contained, open_world, scored

from llmbench.contracts.answer_scored import Scored, Unparsed, Verdict
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome
from llmbench.messaging.fence import fence

CONTAINS: dict[str, Any] = {"kind": "contains", "params": {"text": "42"}}
RUBRIC: dict[str, Any] = {"kind": "rubric"}
NOBODY = {"provider_id": str(UUID(int=1)), "model": "m"}
CHOICES: list[tuple[dict[str, str], int]] = [
    ({"evaluator": "rubric", "score_min": "8"}, 3),
    ({"evaluator": "=sum", "score_min": "1"}, 1),
    ({"evaluator": "=sum", "passed": "false"}, 2),
    ({"evaluator": "=sum", "outcome": "scored"}, 3),
    ({"outcome": "unparsed"}, 0),
    ({"evaluator": "none"}, 0),
]


def judged(world: World) -> list[JudgeAnswer]:
    return [command for command in world.seen if isinstance(command, JudgeAnswer)]


async def by_kind(command: JudgeAnswer) -> Verdict:
    """Return 8 of 10 for a rubric and 4 of 5 for G-Eval; `contains` succeeds only for the first task."""
    match command.evaluator.kind:
        case "contains":
            return contained(command.case.task_id == "task-0")
        case "g_eval":
            return Scored(raw=4, scale_min=1, scale_max=5, normalised=0.75, reason="Coherent.")
    return scored(8)


async def test_run_with_programs_only_needs_no_judge(world: World) -> None:
    world.judge = by_kind
    run_id = await world.start(judge=None, evaluators=[CONTAINS])
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["judge"]) == ("complete", None)
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 3, "failed": 0, "skipped": 0}
    commands = judged(world)
    assert len(commands) == 3
    assert all(command.judge is None for command in commands)
    assert commands[0].evaluator.params == {"text": "42", "ignore_case": True}, "whole, as the judge made them"
    assert (commands[0].facts.time_ms, commands[0].facts.completion_tokens) == (10, 2)
    assert [call.request.model for call in world.calls(Purpose.WARM_UP)] == ["model-a"], "nothing to warm up"
    group = run["groups"][-1]
    assert (group["phase"], group["provider_id"], group["status"], group["done"]) == ("JUDGING", None, "CLOSED", 3)
    assert [item["score_normalised"] for item in await world.items(run_id)] == [1, 0, 0]
    assert (run["totals"]["mean_score"], run["totals"]["pass_rate"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204


async def test_several_evaluators_are_weighted_and_listed_individually(world: World) -> None:
    world.judge = by_kind
    more = [RUBRIC, {**CONTAINS, "name": "the sum", "weight": 3}]
    run_id = await world.start("model-a", "model-b", evaluators=more)
    run = await world.until_status(run_id, "FINISHED")
    assert [command.evaluator.kind for command in judged(world)] == ["contains"] * 6 + ["rubric"] * 6
    assert [item["score_normalised"] for item in await world.items(run_id)][:3] == [
        pytest.approx((0.8 + 3) / 4),
        pytest.approx(0.2),
        pytest.approx(0.2),
    ]
    assert run["totals"]["mean_score"] == pytest.approx((0.95 + 0.2 + 0.2) / 3) == run["mean_score"]
    rubric, contains = run["evaluators"]
    assert [
        (evaluator["name"], evaluator["title"], evaluator["weight"], evaluator["primary"])
        for evaluator in (rubric, contains)
    ] == [
        ("rubric", "Rubric", 1, True),
        ("the sum", "Contains", 3, True),
    ]
    assert (contains["mean_score"], contains["pass_rate"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert contains["mean_score_interval"] is not None
    assert contains["pass_rate_interval"]["low"] > 0
    assert [(target["label"], target["scored"], target["pass_rate"]) for target in contains["targets"]] == [
        ("model-a", 3, pytest.approx(1 / 3)),
        ("model-b", 3, pytest.approx(1 / 3)),
    ]
    assert rubric["length_baseline"] == {
        "spearman": None,
        "answers": 6,
        "undefined_because": "all answers are of the same length",
    }
    page = (await world.http.get(f"/api/runs/{run_id}/items")).json()["items"]
    assert [(score["evaluator"], score["raw"], score["passed"]) for score in page[0]["scores"]] == [
        ("rubric", 8, True),
        ("the sum", 1, True),
    ]
    assert [item["passed"] for item in page] == [True, False, False] * 2
    assert page[1]["reason"] == "the sum: It is there."


async def test_exports_and_filters_include_each_evaluator(world: World) -> None:
    world.judge = by_kind
    run_id = await world.start(evaluators=[RUBRIC, {**CONTAINS, "name": "=sum"}])
    await world.until_status(run_id, "FINISHED")
    for chosen, count in CHOICES:
        found = (await world.http.get(f"/api/runs/{run_id}/items/count", params=chosen)).json()
        assert found["items"] == sum(found["statuses"].values()) == count, chosen
        refused = (await world.http.get(f"/api/runs/{run_id}/items", params=chosen | {"passed": "false"})).json()
        assert found["not_passed"] == len(refused["items"]), chosen
    export = f"/api/runs/{run_id}/export"
    table = (await world.http.get(export)).text
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    assert [(row["rubric.score"], row["'=sum.score"], row["'=sum.passed"]) for row in rows] == [
        ("8.0", "1.0", "True"),
        ("8.0", "0.0", "False"),
        ("8.0", "0.0", "False"),
    ]
    records = (await world.http.get(export, params={"format": "jsonl"})).text.splitlines()
    assert [score["evaluator"] for score in json.loads(records[0])["scores"]] == ["rubric", "=sum"]
    assert 'name="=sum.score" value="1"' in (await world.http.get(export, params={"format": "junit"})).text


async def test_judges_run_one_after_another_and_each_model_is_loaded_once(world: World) -> None:
    world.judge = by_kind
    other = {"provider_id": str(world.provider_id), "model": "model-b"}
    evaluators = [
        RUBRIC,
        {"kind": "g_eval", "judge": other, "pass_threshold": 4},
        {"kind": "g_eval", "params": {"criteria": "fluency"}, "judge": other, "pass_threshold": 4.5},
    ]
    run_id = await world.start(evaluators=evaluators)
    run = await world.until_status(run_id, "FINISHED")
    assert [call.request.model for call in world.calls(Purpose.WARM_UP)] == ["model-a", "judge", "model-b"]
    assert [command.judge.model for command in judged(world) if command.judge] == ["judge"] * 3 + ["model-b"] * 6
    assert [(evaluator["name"], evaluator["pass_rate"]) for evaluator in run["evaluators"]] == [
        ("rubric", 1),
        ("g_eval", 1),
        ("g_eval-2", 0),
    ], "the threshold is on the evaluator's own scale"
    assert all(item["passed"] is False for item in await world.items(run_id))


@pytest.mark.parametrize(
    ("changes", "field", "named"),
    [
        ({"evaluators": [{"kind": "contains"}]}, "evaluators.0.params.text", "is missing"),
        ({"evaluators": [RUBRIC, {"kind": "guess"}]}, "evaluators.1.kind", "no evaluator 'guess'"),
        ({"evaluators": [CONTAINS, CONTAINS]}, "evaluators.1", "same evaluator as 'contains'"),
        (
            {"evaluators": [{**CONTAINS, "name": "x"}, {"kind": "contains", "params": {"text": "1"}, "name": "x"}]},
            "evaluators.1.name",
            "another evaluator",
        ),
        ({"evaluators": [{**CONTAINS, "pass_threshold": 5}]}, "evaluators.0.pass_threshold", "0 to 1"),
        ({"evaluators": [{"kind": "g_eval"}], "judge": None}, "evaluators.0.judge", "asks a model"),
        ({"judge": None}, "judge", "asks a model"),
        ({"evaluators": [{**CONTAINS, "weight": 0}]}, "evaluators", "weight above 0"),
        ({"evaluators": []}, "evaluators", ""),
        ({"evaluators": [{**CONTAINS, "params": {"text": "\0"}}]}, "body", "NUL"),
        ({"evaluators": [{**CONTAINS, "params": {"text": "\ud800"}}]}, "body", "surrogate"),
        ({"evaluators": [{**CONTAINS, "wieght": 1}]}, "evaluators.0.wieght", ""),
        (
            {"evaluators": [{**CONTAINS, "judge": {"provider_id": str(UUID(int=1)), "model": "m"}}]},
            "evaluators.0.judge",
            "no model",
        ),
    ],
)
async def test_invalid_evaluator_is_refused_with_its_field(
    world: World, changes: dict[str, Any], field: str, named: str
) -> None:
    # Send ASCII, because JSON can escape half of a surrogate pair and UTF-8 cannot encode it.
    body, type_ = json.dumps(world.body(**changes)), {"content-type": "application/json"}
    response = await world.http.post("/api/runs", content=body, headers=type_)
    assert response.status_code == 422, response.text
    errors = response.json()["errors"]
    assert any(error["field"] == field and named in error["message"] for error in errors), errors


async def test_run_with_unchecked_evaluators_is_refused_without_the_judge_service(world: World) -> None:
    assert world.describing is not None
    await world.describing.unsubscribe()
    await fence(world.nats)
    response = await world.http.post("/api/runs", json=world.body(evaluators=[CONTAINS]))
    assert (response.status_code, response.json()["title"]) == (503, "The judge service does not answer")
    assert (await world.http.get("/api/runs")).json()["items"] == []
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED"), "the rubric is known"


async def test_length_baseline_is_spearmans_correlation(postgres_url: str, nats_url: str) -> None:
    """The run shows the correlation between the lengths of answers and their scores. The expected value is
    `scipy.stats.spearmanr(lengths, scores).statistic` of scipy 1.17."""
    lengths, scores = [10, 40, 25, 25, 300], [3, 9, 4, 4, 7]

    async def of_length(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.WARM_UP:
            return answered()
        index = int(command.request.messages[-1].content.split()[2])
        # Lengths are measured in bytes of UTF-8, whatever the script.
        return answered("é" * (lengths[index] // 2) + "x" * (lengths[index] % 2))

    async def given(command: JudgeAnswer) -> Verdict:
        return scored(scores[int(command.case.task_id[-1])])

    async with open_world(postgres_url, nats_url, tasks=5) as world:
        world.answer, world.judge = of_length, given
        run = await world.until_status(await world.start(), "FINISHED")
    (rubric,) = run["evaluators"]
    wanted = {"spearman": pytest.approx(0.894736842105, abs=1e-6), "answers": 5, "undefined_because": None}
    assert rubric["length_baseline"] == wanted
    assert rubric["targets"][0]["length_baseline"] == wanted


async def test_failed_optional_evaluator_fails_no_item_and_can_be_retried_alone(world: World) -> None:
    async def no_contains(command: JudgeAnswer) -> Verdict:
        if command.evaluator.kind == "contains":
            return Unparsed(problem="not a number", raw_text="")
        return scored(8)

    world.judge = no_contains
    optional = {**CONTAINS, "required": False, "weight": 0}
    run_id = await world.start(evaluators=[RUBRIC, optional], max_attempts=1)
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["totals"]["mean_score"]) == ("complete", pytest.approx(0.8))
    contains = run["evaluators"][1]
    assert (contains["asked"], contains["scored"], contains["unparsed"], contains["mean_score"]) == (3, 0, 3, None)
    again = f"/api/runs/{run_id}/retry-judging"
    assert (await world.http.post(again)).status_code == 409
    assert (await world.http.post(again, json={"evaluator": "none"})).status_code == 409
    world.judge = by_kind
    world.seen.clear()
    assert (await world.http.post(again, json={"evaluator": "contains"})).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert {command.evaluator.kind for command in judged(world)} == {"contains"}
    assert run["evaluators"][1]["scored"] == 3
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 3, "failed": 0, "skipped": 0}


async def test_embedding_model_is_named_with_its_evaluator_and_warmed_up_by_an_embedding(world: World) -> None:
    world.judge = by_kind
    embedder = {"provider_id": str(world.provider_id), "model": "model-b", "params": {"options": {"dimensions": 64}}}
    similarity = {"kind": "semantic_similarity", "params": {"embedding": "provider"}}
    refused = await world.http.post("/api/runs", json=world.body(evaluators=[RUBRIC, similarity]))
    assert refused.status_code == 422
    [error] = refused.json()["errors"]
    assert error["field"] == "evaluators.1.judge", "the run's judge writes: it is no embedding model"
    assert "embedding model" in error["message"]
    # A similarity of vectors cannot favour a model, so an embedding model may also be a target. Nothing warns of it.
    evaluators = [RUBRIC, {**similarity, "judge": embedder}, {"kind": "semantic_similarity"}]
    run_id = await world.start("model-a", "model-b", evaluators=evaluators)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert [warning["kind"] for warning in run["warnings"]] == []
    warm_ups = [command for command in world.seen if isinstance(command, EmbedTexts)]
    assert [(warm_up.purpose, warm_up.request.model, warm_up.request.options) for warm_up in warm_ups] == [
        (Purpose.WARM_UP, "model-b", {"dimensions": 64})
    ]
    judge_models = {command.judge and command.judge.model for command in judged(world)}
    assert judge_models == {"judge", "model-b", None}
    rubric, by_provider, here = run["evaluators"]
    assert by_provider["params"] == {"embedding": "provider"}
    assert len({rubric["revision_id"], by_provider["revision_id"], here["revision_id"]}) == 3
