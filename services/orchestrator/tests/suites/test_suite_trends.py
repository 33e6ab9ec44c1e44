"""Test the trend of a suite: its score over all of its versions, and the changes that make scores incomparable."""

from typing import Any

import pytest
from run_world import World, contained
from suite_runs import a_task, insert_suite, started, suite_result, version_of

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.judge_answer import JudgeAnswer

pytestmark = pytest.mark.never_rerun


async def test_trend_of_a_suite_has_its_score_in_all_of_its_versions(world: World) -> None:
    async def judge(command: JudgeAnswer) -> Verdict:
        return contained(command.case.task_id in ("sums/0", "words/0"))

    world.judge = judge
    tasks = [
        a_task("sums", await version_of(world, "Sums", 1), weight=3),
        a_task("words", await version_of(world, "Words", 4), weight=1),
    ]
    second = await insert_suite(world, *tasks, aggregation="weighted")
    third = await insert_suite(world, *tasks, aggregation="mean", version_number=3)
    runs = []
    for suite_id, more in ((second, {}), (second, {}), (third, {}), (third, {"tasks": ["words"]})):
        runs.append(await started(world, suite_id, **more))
        await world.until_status(runs[-1], "FINISHED")

    found = await _trend(world, suite="Nightly")
    (series,) = found["series"]
    assert (found["name"], found["runs"], series["label"]) == ("Nightly", 4, "model-a")
    points = series["points"]
    assert [point["run_id"] for point in points] == [str(run_id) for run_id in runs]
    assert [point["mean_score"] for point in points] == [0.8125, 0.8125, 0.625, 0.25], "weighted, then mean of tasks"
    assert [point["breaks"] for point in points] == [[], [], ["suite"], ["cases", "suite", "evaluators"]]
    assert [point["completeness"] for point in points[:3]] == [None] * 3
    assert points[3]["completeness"].startswith("The score covers 1 of 2 tasks, without 'sums'")
    for run_id, point in zip(runs, points, strict=True):
        (target,) = (await suite_result(world, run_id))["targets"]
        assert (point["mean_score"], point["mean_score_interval"]) == (target["score"], target["interval"])

    by_name = await _trend(world, name="Nightly v2: model-a")
    assert [point["mean_score"] for point in by_name["series"][0]["points"]] == [0.4, 0.4], "of all answers alike"
    assert (await _trend(world, suite="Other"))["series"] == []
    listed = (await world.http.get("/api/trends/names")).json()
    of_suite = [(each["name"], each["runs"], each["last_run_id"]) for each in listed["suites"]]
    assert of_suite == [("Nightly", 4, str(runs[-1]))]
    assert [(each["name"], each["runs"]) for each in listed["items"]] == [
        ("Nightly v3: model-a", 2),
        ("Nightly v2: model-a", 2),
    ]


@pytest.mark.parametrize("query", ["name=a&suite=b", "suite=", "suite=a&limit=1"])
async def test_trend_of_a_name_and_a_suite_at_once_is_refused(world: World, query: str) -> None:
    assert (await world.http.get(f"/api/trends?{query}")).status_code == 422


async def _trend(world: World, **params: Any) -> dict[str, Any]:
    response = await world.http.get("/api/trends", params=params)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found
