"""Test the panels of judges. One judge finishes before the next begins, the median of their scores is the panel's
score, and their agreement is shown."""

from typing import Any

import pytest
from run_world import World, open_world, scored

from llmbench.contracts.answer_scored import JudgeRefused, Unparsed, Verdict
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.list_models import ModelsListed

GIVEN = {"judge": 10, "ash": 2.5, "birch": 7.5}
"""The score that each judge gives to every answer, of 10."""


def panel(world: World, *models: str, **more: Any) -> dict[str, Any]:
    judges = [{"provider_id": str(world.provider_id), "model": model} for model in models or GIVEN]
    return {"judges": judges} | more


def scoring_models(world: World) -> list[str]:
    """Return the judge model of each score request, in the order of the requests."""
    return [command.lane.model for command in world.seen if isinstance(command, JudgeAnswer)]


async def by_judge(command: JudgeAnswer) -> Verdict:
    return scored(GIVEN[command.lane.model])


async def birch_cannot_read_task_1(command: JudgeAnswer) -> Verdict:
    if command.lane.model == "birch" and command.case.task_id == "task-1":
        return Unparsed(problem="no JSON", raw_text="hm")
    return await by_judge(command)


@pytest.fixture
async def world(world: World) -> World:
    world.models = ModelsListed(models=("model-a", *GIVEN), url="http://mock/v1/models")
    world.judge = by_judge
    return world


async def test_each_judge_scores_all_answers_before_the_next_and_the_median_counts(world: World) -> None:
    run_id = await world.start(judge=None, panel=panel(world))
    run = await world.until_status(run_id, "FINISHED")
    assert scoring_models(world) == ["judge"] * 3 + ["ash"] * 3 + ["birch"] * 3, (
        "a model is loaded once and used to the end"
    )
    assert [call.request.model for call in world.calls(Purpose.WARM_UP)] == ["model-a", *GIVEN]
    assert (run["outcome"], run["judge"]) == ("complete", None)
    assert (run["totals"]["mean_score"], run["totals"]["pass_rate"], run["mean_score"]) == (0.75, 1, 0.75)
    panel_figures, *members = run["evaluators"]
    assert (panel_figures["name"], panel_figures["title"], panel_figures["judge_model"]) == (
        "rubric",
        "Rubric, panel of 3",
        None,
    )
    assert (panel_figures["asked"], panel_figures["scored"], panel_figures["pending"], panel_figures["mean_score"]) == (
        3,
        3,
        0,
        0.75,
    )
    assert panel_figures["panel"]["quorum"] == 3
    assert [judge["revision_id"] for judge in panel_figures["panel"]["judges"]] == [
        member["revision_id"] for member in members
    ]
    assert [
        (member["name"], member["judge_model"], member["mean_score"], member["member"], member["weight"])
        for member in members
    ] == [
        ("rubric/judge", "judge", 1, True, 0),
        ("rubric/ash", "ash", 0.25, True, 0),
        ("rubric/birch", "birch", 0.75, True, 0),
    ]
    assert panel_figures["agreement"]["answers"] == 3
    assert panel_figures["agreement"]["mean_spread"] == pytest.approx(0.3818813079129867)
    assert (members[0]["title"], members[0]["agreement"]) == ("Rubric", None)
    item = (await world.items(run_id))[0]
    assert (item["score"], item["passed"], item["score_revision_id"]) == (7.5, True, panel_figures["revision_id"])
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json()
    score = detail["scores"][0]
    assert (score["evaluator"], score["raw"], score["scale_max"], score["outcome"]) == ("rubric", 7.5, 10, "scored")
    assert [
        (verdict["judge_model"], verdict["raw"], verdict["passed"]) for verdict in score["details"]["verdicts"]
    ] == [
        ("judge", 10, True),
        ("ash", 2.5, False),
        ("birch", 7.5, True),
    ]
    assert (await world.http.get(f"/api/runs/{run_id}/distribution")).json()["targets"][0]["scores"][8] == 3
    assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204


async def test_missing_score_of_one_judge_fails_the_item_and_only_that_judge_is_retried(world: World) -> None:
    world.judge = birch_cannot_read_task_1
    run_id = await world.start(judge=None, panel=panel(world), max_attempts=1)
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"], run["counts"]["failed"]) == ("partial", 2, 1)
    assert (run["evaluators"][0]["scored"], run["evaluators"][0]["unparsed"]) == (2, 1)
    failed = next(item for item in await world.items(run_id) if item["status"] == "FAILED")
    assert (failed["score"], failed["failure"]["kind"]) == (None, "unparsed")
    assert failed["failure"]["message"] == "2 of 3 judges gave a score, and 3 have to. birch: no JSON"
    world.judge = by_judge
    world.seen.clear()
    assert (await world.http.post(f"/api/runs/{run_id}/retry-judging")).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert scoring_models(world) == ["birch"]
    assert (run["outcome"], run["evaluators"][0]["scored"], run["totals"]["mean_score"]) == ("complete", 3, 0.75)


async def test_quorum_decides_without_the_missing_judge_which_can_be_retried_later(world: World) -> None:
    world.judge = birch_cannot_read_task_1
    run_id = await world.start(judge=None, panel=panel(world, quorum=2), max_attempts=1)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert [item["score"] for item in await world.items(run_id)] == [7.5, 6.25, 7.5]
    world.judge = by_judge
    world.seen.clear()
    again = f"/api/runs/{run_id}/retry-judging"
    assert (await world.http.post(again)).status_code == 409, "no item failed"
    assert (await world.http.post(again, json={"evaluator": "rubric"})).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert scoring_models(world) == ["birch"]
    assert [item["score"] for item in await world.items(run_id)] == [7.5, 7.5, 7.5]
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 3, "failed": 0, "skipped": 0}


async def test_panel_added_to_a_finished_run_reuses_the_scores_of_its_member(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    world.seen.clear()
    three = {"kind": "rubric", "name": "three", "panel": panel(world)}
    response = await world.http.post(f"/api/runs/{run_id}/evaluators", json={"evaluators": [three]})
    assert response.status_code == 202, response.text
    run = await world.until_status(run_id, "FINISHED")
    assert scoring_models(world) == ["ash"] * 3 + ["birch"] * 3
    assert [(evaluator["name"], evaluator["member"], evaluator["mean_score"]) for evaluator in run["evaluators"]] == [
        ("rubric", False, 1),
        ("three", False, 0.75),
        ("three/ash", True, 0.25),
        ("three/birch", True, 0.75),
    ]
    assert run["totals"]["mean_score"] == 0.875
    world.seen.clear()
    two = {"kind": "rubric", "name": "two", "weight": 0, "panel": panel(world, "ash", "judge")}
    response = await world.http.post(f"/api/runs/{run_id}/evaluators", json={"evaluators": [two]})
    assert response.status_code == 202, response.text
    run = await world.until_status(run_id, "FINISHED")
    assert not scoring_models(world), "its judges have spoken already"
    assert [(evaluator["name"], evaluator["mean_score"]) for evaluator in run["evaluators"] if evaluator["panel"]] == [
        ("three", 0.75),
        ("two", 0.625),
    ]
    assert run["outcome"] == "complete"


async def test_panel_cannot_be_replaced_by_a_judge_and_a_member_cannot_be_added_twice(world: World) -> None:
    run_id = await world.start(judge=None, panel=panel(world))
    await world.until_status(run_id, "FINISHED")
    other = {"provider_id": str(world.provider_id), "model": "judge"}
    again = {"judge": other, "scope": "all", "evaluator": "rubric"}
    response = await world.http.post(f"/api/runs/{run_id}/retry-judging", json=again)
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "judge")
    body = {"evaluators": [{"kind": "rubric", "judge": other}]}
    response = await world.http.post(f"/api/runs/{run_id}/evaluators", json=body)
    assert response.status_code == 422
    assert "as the member 'rubric/judge' of a panel" in response.json()["errors"][0]["message"]


@pytest.mark.parametrize(
    ("models", "more", "field", "named"),
    [
        (("judge", "judge"), {}, "panel", "name each model once"),
        (("judge",), {}, "panel.judges", "at least 2"),
        (("judge", "ash"), {"quorum": 3}, "panel", "there are 2 judges"),
        (("judge", "ash"), {"quorum": 1}, "panel.quorum", "must be at least 2"),
        (("judge", "oak"), {}, "panel.judges.1.model", "no model 'oak'"),
        (("judge", "model-a"), {}, "panel.judges.1.model", "judge its own answers"),
    ],
)
async def test_invalid_panel_is_refused_with_its_field(
    world: World, models: tuple[str, ...], more: dict[str, Any], field: str, named: str
) -> None:
    response = await world.http.post("/api/runs", json=world.body(judge=None, panel=panel(world, *models, **more)))
    assert response.status_code == 422, response.text
    errors = response.json()["errors"]
    assert any(error["field"] == field and named in error["message"] for error in errors), errors


async def test_panel_is_refused_beside_a_judge_and_for_a_program(world: World) -> None:
    for changes in (
        {"panel": panel(world)},
        {"evaluators": [{"kind": "contains", "params": {"text": "1"}, "panel": panel(world)}]},
    ):
        response = await world.http.post("/api/runs", json=world.body(**changes))
        assert response.status_code == 422, response.text
    assert response.json()["errors"][0]["field"] == "evaluators.0.panel"


async def test_panel_judges_of_one_family_or_of_a_targets_family_cause_warnings(world: World) -> None:
    world.models = ModelsListed(models=("model-a", "model-b", "model-c"), url="http://mock/v1/models")
    world.judge = lambda _: _scored_9()
    run_id = await world.start(judge=None, panel=panel(world, "model-b", "model-c"))
    run = await world.until_status(run_id, "FINISHED")
    assert [warning["kind"] for warning in run["warnings"]] == ["same_family", "same_family", "one_family"]


async def _scored_9() -> Verdict:
    return scored(9)


# Example D of Krippendorff (2011): the ratings of each judge. krippendorff 0.9.0 gives 0.849107 for interval data.
RATINGS: dict[str, list[int | None]] = {
    "ash": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "birch": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "cedar": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "judge": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}


async def test_agreement_of_a_panel_is_krippendorffs_alpha(postgres_url: str, nats_url: str) -> None:
    async def rated(command: JudgeAnswer) -> Verdict:
        rating = RATINGS[command.lane.model][int(command.case.task_id.removeprefix("task-"))]
        return JudgeRefused(message="no") if rating is None else scored(rating)

    async with open_world(postgres_url, nats_url, tasks=12) as world:
        world.judge = rated
        judges = panel(world, *RATINGS, quorum=2)
        run_id = await world.start(judge=None, panel=judges, check_providers=False, max_attempts=1)
        run = await world.until_status(run_id, "FINISHED")
    panel_figures = run["evaluators"][0]
    assert (panel_figures["scored"], panel_figures["refused"]) == (11, 1), "one answer has a single score"
    assert panel_figures["agreement"]["alpha"] == pytest.approx(0.849107, abs=1e-6)
    assert (panel_figures["agreement"]["answers"], panel_figures["agreement"]["undefined_because"]) == (11, None)
    assert panel_figures["targets"][0]["agreement"] == panel_figures["agreement"]
