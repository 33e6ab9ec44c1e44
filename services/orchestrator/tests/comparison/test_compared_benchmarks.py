"""Test the verdict on each evaluator that two compared targets share, and the API by which programs get verdicts."""

from typing import Any
from uuid import uuid4

import pytest
from compared_columns import by_answer, by_name, compare_columns, run_of, verdicts
from run_world import World, contained

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.judge_answer import JudgeAnswer


@pytest.fixture
async def columns(world: World) -> list[str]:
    """Create a run of three models, and return its targets in the form that the query parameter `column` expects."""
    world.answer, world.judge = by_name, by_answer
    return await run_of(world, "model-a", "model-b", "model-c")


async def test_evaluators_shared_by_both_columns_are_compared_individually(world: World) -> None:
    """Each evaluator that both runs have gets a verdict. The overall scores get none if they are different measures:
    the second run has an additional evaluator with a weight."""

    async def by_kind(command: JudgeAnswer) -> Verdict:
        return (
            await by_answer(command) if command.evaluator.kind == "rubric" else contained("model-b" in command.answer)
        )

    world.answer, world.judge = by_name, by_kind
    rubric, contains, exact = (
        {"kind": "rubric"},
        {"kind": "contains", "params": {"text": "b"}, "name": "mentions b", "weight": 0},
        {"kind": "contains", "params": {"text": "x"}, "name": "mentions x"},
    )
    first = await run_of(world, "model-a", "model-b", evaluators=[rubric, contains])
    second = await run_of(world, "model-b", evaluators=[contains, rubric, exact])
    [one] = (await compare_columns(world, first))["comparisons"]
    assert [(by["name"], by["kind"], by["weight"], by["gates"]) for by in one["evaluators"]] == [
        ("rubric", "rubric", 1, True),
        ("mentions b", "contains", 0, False),
    ]
    by_rubric, by_contains = (by["score"] for by in one["evaluators"])
    assert by_rubric == one["score"], "the other has no weight"
    assert (by_contains["cases"], by_contains["better"], by_contains["mean"]) == (3, 3, 1)

    [other] = (await compare_columns(world, [first[1], *second]))["comparisons"]
    assert other["score"] is None
    assert "(contains + rubric, and rubric)" in other["note"], "those with a weight"
    assert [by["name"] for by in other["evaluators"]] == ["rubric", "mentions b"]
    assert [(by["score"]["cases"], by["score"]["equal"]) for by in other["evaluators"]] == [(3, 3), (3, 3)]
    again = await run_of(world, "model-c", evaluators=[rubric])
    alone = await run_of(world, "model-a", evaluators=[rubric])
    assert (await compare_columns(world, alone + again))["comparisons"][0]["evaluators"] == [], (
        "it is the overall score"
    )


async def test_verdicts_can_be_requested_for_runs_or_columns(world: World, columns: list[str]) -> None:
    second = await run_of(world, "model-b", "model-a")
    runs = [columns[0].split(":")[0], second[0].split(":")[0]]
    found = await verdicts(world, {"run_ids": runs, "margin": 0.1})
    assert (found["regressed"], found["margin"]) == (False, 0.1)
    # The first run alone has a target with model-c.
    assert [[column["label"] for column in comparison["columns"]] for comparison in found["comparisons"]] == [
        ["model-a", "model-a"],
        ["model-b", "model-b"],
    ]
    assert {comparison["comparisons"][0]["score"]["mean"] for comparison in found["comparisons"]} == {0}
    choices = [dict(zip(("run_id", "target_id"), column.split(":"), strict=True)) for column in columns]
    assert (found["winner"], found["winner_target_id"]) == (None, None)
    assert "shared by more than one" in found["winner_reason"], "the same scores twice"
    ranked = await verdicts(world, {"columns": choices, "baseline": 1})
    (only,) = ranked["comparisons"]
    assert (only["baseline"], only["regressed"]) == (1, [])
    # The means are over the two cases that all three targets answered: model-c has no answer to the third.
    assert [(model["model_name"], model["overall_score"], model["cases"]) for model in ranked["models"]] == [
        ("model-a", pytest.approx(0.5), 2),
        ("model-b", pytest.approx(0.6), 2),
        ("model-c", pytest.approx(0.7), 2),
    ]
    (task,) = ranked["comparison"]
    assert (task["task_name"], [score["score"] for score in task["scores"]]) == (
        "arithmetic",
        [pytest.approx(0.5), pytest.approx(0.6), pytest.approx(0.7)],
    )
    assert ranked["winner"] is None
    assert ranked["winner_reason"].startswith("Only 2 of the 3 cases that 'model-c' of ")
    assert "not separable" in (await verdicts(world, {"columns": choices[:2]}))["winner_reason"]
    refused: list[dict[str, Any]] = [
        {},
        {"run_ids": runs, "columns": choices},
        {"run_ids": runs[:1]},
        {"run_ids": runs, "baseline": 2},
        {"run_ids": runs, "margin": -1},
        {"columns": [choices[0], choices[0]]},
    ]
    for body in refused:
        assert (await world.http.post("/v1/benchmarks/compare", json=body)).status_code == 422, body
    gone = await world.http.post("/v1/benchmarks/compare", json={"run_ids": [runs[0], str(uuid4())]})
    assert gone.status_code == 404
