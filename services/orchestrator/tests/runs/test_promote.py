"""Test that the primary revision of an evaluator changes in two cases only: the user promotes another revision, or the
primary revision has no score."""

import asyncio
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from run_world import World, answered, scored

from llmbench.contracts.answer_scored import Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome
from tests.recount import recount

pytestmark = pytest.mark.never_rerun


async def finished(world: World, *, judge: float | None = 9) -> UUID:
    await judged_by(world, judge)
    run_id = await world.start(max_attempts=1)
    await world.until_status(run_id, "FINISHED")
    return run_id


async def judged_by(world: World, value: float | None) -> None:
    """Make the judge give every answer the score `value`. If it is `None`, the judge fails."""

    async def judge(_: JudgeAnswer) -> Verdict:
        return Unparsed(problem="no JSON", raw_text="hm") if value is None else scored(int(value))

    world.judge = judge


async def ask_another(world: World, run_id: UUID, value: float | None) -> dict[str, Any]:
    await judged_by(world, value)
    body = {"judge": {"provider_id": str(world.provider_id), "model": "model-b"}, "scope": "all"}
    response = await world.http.post(f"/api/runs/{run_id}/retry-judging", json=body)
    assert response.status_code == 202, response.text
    run: dict[str, Any] = await world.until_status(run_id, "FINISHED")
    return run


async def promote(world: World, run_id: UUID, revision_id: str) -> dict[str, Any]:
    response = await world.http.post(f"/api/runs/{run_id}/promote", json={"revision_id": revision_id})
    assert response.status_code == 202, response.text
    run: dict[str, Any] = (await world.http.get(f"/api/runs/{run_id}")).json()
    return run


def primary(run: dict[str, Any]) -> list[str]:
    return [evaluator["judge_model"] for evaluator in run["evaluators"] if evaluator["primary"]]


async def agrees(world: World, run: dict[str, Any], score: float) -> None:
    """Assert that the run, its items and a recount of the stored rows show the same mean score and primary revision."""
    assert (run["mean_score"], run["totals"]["mean_score"]) == (pytest.approx(score), pytest.approx(score))
    assert (await recount(world.engine, UUID(run["id"])))["totals"]["mean_score"] == pytest.approx(score)
    items = await world.items(UUID(run["id"]))
    assert [item["score_normalised"] for item in items] == [pytest.approx(score)] * 3
    (revision,) = {item["score_revision_id"] for item in items}
    assert [evaluator["revision_id"] for evaluator in run["evaluators"] if evaluator["primary"]] == [revision]


async def test_failing_second_judge_does_not_change_the_figures(world: World) -> None:
    run_id = await finished(world)
    run = await ask_another(world, run_id, None)
    assert primary(run) == ["judge"]
    await agrees(world, run, 0.9)
    failing = run["evaluators"][1]
    assert (failing["judge_model"], failing["asked"], failing["unparsed"]) == ("model-b", 3, 3)


async def test_another_judge_can_be_promoted_and_the_promotion_reversed(world: World) -> None:
    run_id = await finished(world)
    run = await ask_another(world, run_id, 4)
    first, second = (evaluator["revision_id"] for evaluator in run["evaluators"])
    await agrees(world, run, 0.9)
    run = await promote(world, run_id, second)
    assert primary(run) == ["model-b"]
    await agrees(world, run, 0.4)
    assert await promote(world, run_id, second) == run, "choosing it again changes nothing"
    run = await promote(world, run_id, first)
    assert primary(run) == ["judge"]
    await agrees(world, run, 0.9)
    lines = (await world.http.get(f"/api/runs/{run_id}/log")).json()["lines"]
    assert [line["text"] for line in lines if "as you chose" in line["text"]] == [
        "rubric: the primary revision is model-b's now, as you chose",
        "rubric: the primary revision is judge's now, as you chose",
    ]


async def test_revision_without_scores_cannot_be_promoted(world: World) -> None:
    run_id = await finished(world)
    run = await ask_another(world, run_id, None)
    failing = run["evaluators"][1]["revision_id"]
    response = await world.http.post(f"/api/runs/{run_id}/promote", json={"revision_id": failing})
    assert (response.status_code, response.json()["title"]) == (409, "It scored nothing")
    assert response.json()["detail"].startswith("model-b scored no answer of this run")
    await agrees(world, (await world.http.get(f"/api/runs/{run_id}")).json(), 0.9)


async def test_primary_revision_without_scores_is_replaced_automatically(world: World) -> None:
    run_id = await finished(world, judge=None)
    run = await ask_another(world, run_id, 4)
    assert primary(run) == ["model-b"]
    assert (run["outcome"], run["counts"]["failed"]) == ("complete", 0)
    await agrees(world, run, 0.4)


async def test_time_between_the_end_and_a_retry_is_not_counted(world: World) -> None:
    run_id = await finished(world)
    before = (await world.http.get(f"/api/runs/{run_id}")).json()
    run = await ask_another(world, run_id, 4)
    assert before["reopened_at"] is None
    assert run["started_at"] == before["started_at"]
    assert before["finished_at"] <= run["reopened_at"] < run["finished_at"]
    worked = [
        (_seconds(before["started_at"], before["finished_at"])),
        (_seconds(run["reopened_at"], run["finished_at"])),
    ]
    assert run["took_s"] == pytest.approx(sum(worked), abs=0.01)


def _seconds(began: str, ended: str) -> float:
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()


async def test_invalid_promotion_is_refused(world: World) -> None:
    run_id = await finished(world)
    response = await world.http.post(f"/api/runs/{run_id}/promote", json={"revision_id": str(uuid4())})
    assert response.status_code == 422
    assert "no evaluator revision of this run" in response.text
    response = await world.http.post(f"/api/runs/{uuid4()}/promote", json={"revision_id": str(uuid4())})
    assert response.status_code == 404
    paused = asyncio.Event()

    async def answer(_: GenerateCompletion) -> Outcome:
        await paused.wait()
        return answered()

    world.answer = answer
    held = await world.start()
    await world.http.post(f"/api/runs/{held}/pause")
    paused.set()
    await world.until_status(held, "PAUSED")
    (one,) = (await world.http.get(f"/api/runs/{held}")).json()["evaluators"]
    response = await world.http.post(f"/api/runs/{held}/promote", json={"revision_id": one["revision_id"]})
    assert (response.status_code, response.json()["run_status"]) == (409, "PAUSED")
