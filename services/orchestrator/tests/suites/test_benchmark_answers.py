"""Test that the responses of `/v1/benchmarks` have every field that was specified for them, as listed below."""

from typing import Any
from uuid import UUID

import pytest
from run_world import World, answered, contained
from suite_runs import a_task, insert_suite, started, version_of

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome

Fields = dict[str, Any]
"""The names of fields, each with the fields inside it."""
SUITES: Fields = {"suites": dict.fromkeys(("suite_id", "name", "version", "task_count", "total_items", "categories"))}
STARTED: Fields = dict.fromkeys(("run_id", "status", "suite", "estimated_completion"))
RUN: Fields = {
    **dict.fromkeys(("run_id", "status", "cost_usd", "started_at", "completed_at")),
    "suite": {"name": None, "version": None},
    "model": {"name": None, "version": None, "provider": None},
    "progress": dict.fromkeys(("total_tasks", "completed_tasks", "total_items", "completed_items")),
    "results": {
        "overall_score": None,
        "tasks": dict.fromkeys(("task_name", "category", "score", "items_evaluated", "items_correct")),
    },
}
COMPARED: Fields = {
    "models": dict.fromkeys(("run_id", "model_name", "overall_score")),
    "comparison": {"task_name": None, "scores": {"run_id": None, "score": None}},
    "winner": None,
}

pytestmark = pytest.mark.never_rerun


async def test_request_names_a_version_and_the_run_shows_it_in_the_label(world: World) -> None:
    suite_id = await insert_suite(world, a_task("sums", await version_of(world, "Sums", 1)))
    model = {"name": "model-a", "version": "2026-11", "provider": "Mock"}
    url = "/v1/benchmarks/runs"
    body = {"suite_id": str(suite_id), "model": model}
    plan = (await world.http.post(url, json=body, params={"dry_run": True})).json()
    assert plan["models"] == [model | {"label": "model-a@2026-11"}]
    begun = (await world.http.post(url, json=body)).json()
    assert begun["status"] == "QUEUED", "the document knows no other answer"
    run_id = UUID(begun["run_id"])
    await world.until_status(run_id, "FINISHED")
    shown = (await world.http.get(f"{url}/{run_id}")).json()
    assert shown["model"] == model | {"label": "model-a@2026-11"}
    assert shown["models"][0]["model"] == shown["model"]
    named = {"suite_id": str(suite_id), "model": model | {"label": "at night"}}
    run_id = UUID((await world.http.post(url, json=named)).json()["run_id"])
    shown = (await world.http.get(f"{url}/{run_id}")).json()
    assert shown["model"] == model | {"label": "at night", "version": None}, "only the label is kept"


async def test_responses_have_every_field_that_the_specification_names(world: World) -> None:
    suite_id = await insert_suite(world, a_task("sums", await version_of(world, "Sums", 2)))
    await _has_all(world, "/v1/benchmarks/suites", SUITES)
    body = {"suite_id": str(suite_id), "model": {"name": "model-a", "provider": "Mock"}, "parallelism": 10}
    response = await world.http.post("/v1/benchmarks/runs", json=body)
    assert (response.status_code, lacking(response.json(), STARTED)) == (201, [])
    first = UUID(response.json()["run_id"])
    await world.until_status(first, "FINISHED")
    shown = await _has_all(world, f"/v1/benchmarks/runs/{first}", RUN)
    assert shown["status"] in ("QUEUED", "RUNNING", "COMPLETED", "FAILED")
    other = await started(world, suite_id, "model-b")
    await world.until_status(other, "FINISHED")
    response = await world.http.post("/v1/benchmarks/compare", json={"run_ids": [str(first), str(other)]})
    assert (response.status_code, lacking(response.json(), COMPARED)) == (200, [])


async def _has_all(world: World, path: str, fields: Fields) -> dict[str, Any]:
    response = await world.http.get(path)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    assert lacking(found, fields) == []
    return found


def lacking(found: Any, fields: Fields, place: str = "") -> list[str]:
    """Return the fields that the response lacks. Each element of a list must have the fields, and the list at least one
    element."""
    if isinstance(found, list):
        return [name for each in found for name in lacking(each, fields, place)] if found else [f"{place}[]"]
    missing = [f"{place}.{name}" for name in fields if name not in found]
    return missing + [
        name
        for field, inner in fields.items()
        if inner and field in found
        for name in lacking(found[field], inner, f"{place}.{field}")
    ]


async def test_published_suites_are_listed_with_their_sizes(world: World) -> None:
    sums, words = await version_of(world, "Sums", 4), await version_of(world, "Words", 3)
    url = "/v1/benchmarks/suites"
    draft = await insert_suite(world, a_task("sums", sums), status="DRAFT")
    assert (await world.http.get(url)).json() == {"suites": [], "total": 0, "has_more": False}
    async with world.engine.begin() as connection:
        await connection.exec_driver_sql(f"DELETE FROM suite WHERE id = '{draft}'")
    tasks = [a_task("sums", sums, epochs=2, category="maths", sample={"size": 3}), a_task("words", words)]
    suite_id = await insert_suite(world, *tasks)
    assert (await world.http.get(url)).json()["suites"] == [
        {
            "suite_id": str(suite_id),
            "name": "Nightly",
            "version": "2",
            "task_count": 2,
            "total_items": 9,
            "categories": ["maths", "general"],
        }
    ]


async def test_winner_has_the_highest_score_of_the_suite_by_more_than_chance(world: World) -> None:
    """Model-a has a higher score than model-b, because the suite weighs the only case of `sums` three times as much as
    all cases of `words`. But a lead that rests on one case may be chance, so neither wins. Model-c solves all cases.
    It does not win either, because one case says little about the task that makes up most of the score."""

    async def answer(command: GenerateCompletion) -> Outcome:
        return answered(command.request.model)

    async def judge(command: JudgeAnswer) -> Verdict:
        solved = {"model-a": ("sums",), "model-b": ("words",), "model-c": ("sums", "words")}
        return contained(command.case.task_id.startswith(solved[command.answer]))

    world.answer, world.judge = answer, judge
    suite_id = await insert_suite(
        world,
        a_task("sums", await version_of(world, "Sums", 1), weight=3),
        a_task("words", await version_of(world, "Words", 30), weight=1),
        aggregation="weighted",
    )
    runs = {}
    for model in ("model-a", "model-b", "model-c"):
        run_id = await started(world, suite_id, model, check_providers=False)
        await world.until_status(run_id, "FINISHED")
        shown = (await world.http.get(f"/v1/benchmarks/runs/{run_id}")).json()
        runs[model] = (str(run_id), shown["results"]["overall_score"])

    async def compared(*models: str) -> dict[str, Any]:
        response = await world.http.post(
            "/v1/benchmarks/compare", json={"run_ids": [runs[model][0] for model in models]}
        )
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        scores = [(model["run_id"], model["overall_score"]) for model in found["models"]]
        assert scores == [runs[model] for model in models], "the score that each run shows"
        return found

    found = await compared("model-a", "model-b")
    assert [score for _, score in (runs["model-a"], runs["model-b"])] == [0.75, 0.25]
    score = found["comparisons"][0]["comparisons"][0]["score"]
    assert (found["winner"], score["mean"], score["verdict"]) == (None, -0.5, "not separable")
    assert "'model-a' of 'Nightly v2: model-a' has the highest score of the suite" in found["winner_reason"]
    assert "but is not separable from 'model-b'" in found["winner_reason"]
    found = await compared("model-a", "model-c")
    assert found["winner"] is None
    assert "'model-c' of 'Nightly v2: model-c' has the highest score of the suite" in found["winner_reason"]
