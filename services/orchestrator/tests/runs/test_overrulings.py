"""Test that a person can overrule a judge's score. The new score belongs to an evaluator revision of its own, and
nothing else changes."""

import asyncio
import csv
import io
import json
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from run_world import World, answered, contained, scored
from sqlalchemy import func, select, update

from llmbench.contracts.answer_scored import Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.list_models import ModelsListed
from llmbench.contracts.outcome import Outcome
from llmbench.db import tables as t
from tests.recount import recount

HOSTILE = "<script>alert(1)</script> =HYPERLINK('x')"


async def by_task(command: JudgeAnswer) -> Verdict:
    """Give each answer the score 8, but give no readable verdict on task-2."""
    if command.evaluator.kind == "contains":
        return contained(True)
    return Unparsed(problem="no JSON", raw_text="hm") if command.case.task_id == "task-2" else scored(8)


async def finished(world: World, scoring: Any, **more: Any) -> tuple[UUID, str, list[str]]:
    """Finish a run. Return its id, the id of its judge's evaluator revision, and the ids of its items."""
    world.judge = scoring
    run_id = await world.start(max_attempts=1, **more)
    run = await world.until_status(run_id, "FINISHED")
    return run_id, run["evaluators"][0]["revision_id"], [item["id"] for item in await world.items(run_id)]


def path(run_id: UUID, item_id: str, revision_id: str = "") -> str:
    return f"/api/runs/{run_id}/items/{item_id}/overrulings" + (f"/{revision_id}" if revision_id else "")


async def overrule(world: World, run_id: UUID, item_id: str, revision_id: str, **body: Any) -> httpx.Response:
    given = {"score": 3, "reason": "It is wrong.", "by": "Ada"} | body
    return await world.http.put(path(run_id, item_id, revision_id), json=given)


async def overruled(world: World, run_id: UUID, item_id: str, revision_id: str, **body: Any) -> list[dict[str, Any]]:
    response = await overrule(world, run_id, item_id, revision_id, **body)
    assert response.status_code == 200, response.text
    items: list[dict[str, Any]] = response.json()["items"]
    return items


async def run_of(world: World, run_id: UUID) -> dict[str, Any]:
    run: dict[str, Any] = (await world.http.get(f"/api/runs/{run_id}")).json()
    return run


async def scores_of(world: World, run_id: UUID, revision_id: str) -> list[tuple[float | None, bool]]:
    """Return the raw score by this evaluator revision, and whether a person gave it (`by_person`), for each item."""
    return [
        (score["raw"], score["by_person"])
        for item in await world.items(run_id)
        for score in item["scores"]
        if score["evaluator_revision_id"] == revision_id
    ]


async def test_overruled_score_counts_in_a_revision_of_its_own(world: World) -> None:
    run_id, judge, items = await finished(world, score_at_eight)
    before = await run_of(world, run_id)
    history = await overruled(world, run_id, items[1], judge, reason=HOSTILE)
    (entry,) = history
    assert (entry["evaluator"], entry["judge_score"], entry["score"], entry["reason"]) == ("rubric", 8, 3, HOSTILE)
    assert (entry["given_name"], entry["holds"], entry["number"]) == ("Ada", True, 1)
    run = await run_of(world, run_id)
    assert (run["status"], run["outcome"], run["totals"]) == ("FINISHED", "complete", before["totals"])
    of_judge, corrected = run["evaluators"]
    assert (of_judge["primary"], of_judge["corrects"], of_judge["mean_score"]) == (True, None, pytest.approx(0.8))
    assert (corrected["primary"], corrected["corrects"], corrected["panel"]) == (False, judge, None)
    assert (corrected["title"], corrected["name"], corrected["whole"]) == (
        "Rubric, corrected by people",
        "rubric",
        True,
    )
    assert (corrected["asked"], corrected["scored"]) == (3, 3)
    assert corrected["mean_score"] == pytest.approx((0.8 + 0.3 + 0.8) / 3)
    assert corrected["pass_rate"] == pytest.approx(2 / 3)
    assert corrected["agreement"] is None
    assert await scores_of(world, run_id, judge) == [(8, False)] * 3
    assert await scores_of(world, run_id, corrected["revision_id"]) == [(8, False), (3, True), (8, False)]
    assert {item["score_revision_id"] for item in await world.items(run_id)} == {judge}
    lines = [line["text"] for line in (await world.http.get(f"/api/runs/{run_id}/log")).json()["lines"]]
    assert f"rubric, task-1: 8 → 3 by Ada: {HOSTILE}" in lines
    # The same request again changes nothing; another item joins the same revision.
    assert await overruled(world, run_id, items[1], judge, reason=HOSTILE) == history
    await overruled(world, run_id, items[0], judge, score=0)
    assert len((await run_of(world, run_id))["evaluators"]) == 2
    assert await scores_of(world, run_id, corrected["revision_id"]) == [(0, True), (3, True), (8, False)]


async def score_at_eight(_: JudgeAnswer) -> Verdict:
    return scored(8)


async def test_overruling_can_be_changed_and_withdrawn_and_its_history_stays(world: World) -> None:
    run_id, judge, items = await finished(world, score_at_eight)
    await overruled(world, run_id, items[0], judge)
    await overruled(world, run_id, items[0], judge, score=5.5, reason="Half of it is right.", by="Bob")
    corrected = (await run_of(world, run_id))["evaluators"][1]["revision_id"]
    assert (await scores_of(world, run_id, corrected))[0] == (5.5, True)
    response = await world.http.delete(path(run_id, items[0], judge), params={"by": "Cleo"})
    assert response.status_code == 200, response.text
    assert await scores_of(world, run_id, corrected) == [(8, False)] * 3
    history = (await world.http.get(path(run_id, items[0]))).json()["items"]
    assert history == response.json()["items"]
    assert [(each["score"], each["given_name"], each["holds"]) for each in history] == [
        (None, "Cleo", True),
        (5.5, "Bob", False),
        (3, "Ada", False),
    ]
    again = await world.http.delete(path(run_id, items[0], judge), params={"by": "Cleo"})
    assert (again.status_code, again.json()["title"]) == (404, "Nothing to withdraw")
    assert (await world.http.get(path(run_id, items[1]))).json() == {"items": []}


async def test_newest_overruling_holds_although_its_request_began_earlier(world: World) -> None:
    run_id, judge, items = await finished(world, score_at_eight)
    await overruled(world, run_id, items[0], judge)
    await world.http.delete(path(run_id, items[0], judge), params={"by": "Bob"})
    earlier = update(t.overruling).where(t.overruling.c.number == 2)
    async with world.engine.begin() as connection:
        await connection.execute(earlier.values(created_at=t.overruling.c.created_at - timedelta(hours=1)))
    again = await world.http.delete(path(run_id, items[0], judge), params={"by": "Bob"})
    assert (again.status_code, again.json()["title"]) == (404, "Nothing to withdraw")
    history = await overruled(world, run_id, items[0], judge)
    assert [each["number"] for each in history if each["holds"]] == [3]


async def test_promoted_corrected_revision_gives_the_items_their_scores(world: World) -> None:
    run_id, judge, items = await finished(world, score_at_eight)
    await overruled(world, run_id, items[0], judge)
    corrected = (await run_of(world, run_id))["evaluators"][1]["revision_id"]
    promoted = await world.http.post(f"/api/runs/{run_id}/promote", json={"revision_id": corrected})
    assert promoted.status_code == 202, promoted.text
    lines = [line["text"] for line in (await world.http.get(f"/api/runs/{run_id}/log")).json()["lines"]]
    assert "rubric: the primary revision is judge corrected by people's now, as you chose" in lines
    await overruled(world, run_id, items[1], judge, score=10, reason="=1+1")
    listed = await world.items(run_id)
    assert [(item["score"], item["passed"], item["score_revision_id"]) for item in listed] == [
        (3, False, corrected),
        (10, True, corrected),
        (8, True, corrected),
    ]
    assert listed[0]["reason"] == "It is wrong."
    mean = (0.3 + 1 + 0.8) / 3
    assert (await run_of(world, run_id))["mean_score"] == pytest.approx(mean)
    assert (await recount(world.engine, run_id))["totals"]["mean_score"] == pytest.approx(mean)
    exported = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "csv"})).text
    rows = list(csv.DictReader(io.StringIO(exported)))
    assert [(row["rubric.score"], row["rubric.by_person"]) for row in rows] == [
        ("3.0", "True"),
        ("10.0", "True"),
        ("8.0", "False"),
    ]
    assert rows[1]["rubric.reason"] == "'=1+1"
    lined = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "jsonl"})).text.splitlines()
    (first,) = [json.loads(line)["scores"] for line in lined if json.loads(line)["id"] == items[0]]
    assert [(score["raw"], score["by_person"], score["corrects"]) for score in first] == [
        (8, False, None),
        (3, True, judge),
    ]
    await world.http.delete(path(run_id, items[0], judge), params={"by": "Ada"})
    assert [item["score"] for item in await world.items(run_id)] == [8, 10, 8]


async def test_corrected_revision_follows_the_judge_and_keeps_what_people_gave(world: World) -> None:
    run_id, judge, items = await finished(world, by_task)
    refused = await overrule(world, run_id, items[2], judge)
    assert (refused.status_code, refused.json()["title"]) == (409, "Nothing to overrule")
    await overruled(world, run_id, items[0], judge)
    corrected = (await run_of(world, run_id))["evaluators"][1]
    assert (corrected["asked"], corrected["scored"], corrected["unparsed"]) == (3, 2, 1)
    world.judge = score_at_eight
    response = await world.http.post(f"/api/runs/{run_id}/retry-judging", json={})
    assert response.status_code == 202, response.text
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["mean_score"]) == ("complete", pytest.approx(0.8))
    assert await scores_of(world, run_id, corrected["revision_id"]) == [(3, True), (8, False), (8, False)]
    # The scores of another judge belong to another revision, and are not mixed with these.
    body = {"judge": {"provider_id": str(world.provider_id), "model": "model-b"}, "scope": "all"}
    assert (await world.http.post(f"/api/runs/{run_id}/retry-judging", json=body)).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert [each["primary"] for each in run["evaluators"]] == [True, False, False]
    assert {item["score_revision_id"] for item in await world.items(run_id)} == {judge}


async def test_failing_primary_judge_is_never_replaced_by_people(world: World) -> None:
    async def only_model_b(command: JudgeAnswer) -> Verdict:
        return scored(6) if command.lane.model == "model-b" else Unparsed(problem="no JSON", raw_text="hm")

    async def task_0_only(command: JudgeAnswer) -> Verdict:
        return scored(8) if command.case.task_id == "task-0" else Unparsed(problem="no JSON", raw_text="hm")

    run_id, first, items = await finished(world, task_0_only)
    world.judge = only_model_b
    body = {"judge": {"provider_id": str(world.provider_id), "model": "model-b"}}
    assert (await world.http.post(f"/api/runs/{run_id}/retry-judging", json=body)).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    second = run["evaluators"][1]["revision_id"]
    await overruled(world, run_id, items[1], second, score=1)
    assert [item["score_revision_id"] for item in await world.items(run_id)] == [first, second, second]
    assert [item["score"] for item in await world.items(run_id)] == [8, 6, 6]


async def test_score_of_a_panel_can_be_overruled(world: World) -> None:
    given = {"ash": 4.0, "birch": 9.0}

    async def by_model(command: JudgeAnswer) -> Verdict:
        return scored(given[command.lane.model])

    world.models = ModelsListed(models=("model-a", *given), url="http://mock/v1/models")
    judges = [{"provider_id": str(world.provider_id), "model": model} for model in given]
    run_id, panel, items = await finished(world, by_model, judge=None, panel={"judges": judges})
    await overruled(world, run_id, items[0], panel, score=2)
    run = await run_of(world, run_id)
    (corrected,) = [each for each in run["evaluators"] if each["corrects"] == panel]
    assert await scores_of(world, run_id, corrected["revision_id"]) == [(2, True), (6.5, False), (6.5, False)]
    member = next(each["revision_id"] for each in run["evaluators"] if each["member"])
    response = await overrule(world, run_id, items[0], member)
    assert (response.status_code, "one judge of a panel" in response.json()["detail"]) == (409, True)


async def test_withdrawal_while_the_panel_has_no_score_leaves_none(world: World) -> None:
    held = asyncio.Event()

    async def birch_fails(command: JudgeAnswer) -> Verdict:
        return Unparsed(problem="no JSON", raw_text="hm") if command.lane.model == "birch" else scored(4)

    async def hold(_: JudgeAnswer) -> Verdict:
        await held.wait()
        return scored(9)

    world.models = ModelsListed(models=("model-a", "ash", "elm", "birch"), url="http://mock/v1/models")
    judges = [{"provider_id": str(world.provider_id), "model": model} for model in ("ash", "elm", "birch")]
    run_id, panel, items = await finished(world, birch_fails, judge=None, panel={"judges": judges, "quorum": 2})
    await overruled(world, run_id, items[0], panel, score=2)
    (corrected,) = [each["revision_id"] for each in (await run_of(world, run_id))["evaluators"] if each["corrects"]]
    world.judge = hold
    assert (await world.http.post(f"/api/runs/{run_id}/retry-judging", json={"evaluator": "rubric"})).status_code == 202
    assert (await world.http.post(f"/api/runs/{run_id}/cancel")).status_code == 202
    await world.until_status(run_id, "CANCELLED")
    assert (await scores_of(world, run_id, corrected))[0] == (2, True)
    response = await world.http.delete(path(run_id, items[0], panel), params={"by": "Ada"})
    assert response.status_code == 200, response.text
    assert (await scores_of(world, run_id, corrected))[0] == (None, False)
    held.set()


async def test_invalid_overruling_is_refused(world: World) -> None:
    run_id, judge, items = await finished(
        world, by_task, evaluators=[{"kind": "rubric"}, {"kind": "contains", "params": {"text": "42"}}]
    )
    run = await run_of(world, run_id)
    program = next(each["revision_id"] for each in run["evaluators"] if each["kind"] == "contains")
    for body, field in (
        ({"score": 11}, "score"),
        ({"score": -1}, "score"),
        ({"reason": "  "}, "reason"),
        ({"reason": "x" * 2_001}, "reason"),
        ({"by": None}, "by"),
        ({"by": "A\nB"}, "by"),
        ({"score": None}, "score"),
        ({"more": 1}, "more"),
    ):
        response = await overrule(world, run_id, items[0], judge, **body)
        assert response.status_code == 422, (body, response.text)
        assert response.json()["errors"][0]["field"].endswith(field), response.text
    for given, title in (
        ((run_id, items[0], program), "Not the score of a judge"),
        ((run_id, items[2], judge), "Nothing to overrule"),
    ):
        response = await overrule(world, *given)
        assert (response.status_code, response.json()["title"]) == (409, title)
    for given in ((run_id, items[0], str(uuid4())), (run_id, str(uuid4()), judge), (uuid4(), items[0], judge)):
        assert (await overrule(world, *given)).status_code == 404
    assert (await world.http.get(path(run_id, str(uuid4())))).status_code == 404
    await overruled(world, run_id, items[0], judge)
    corrected = next(each["revision_id"] for each in (await run_of(world, run_id))["evaluators"] if each["corrects"])
    response = await overrule(world, run_id, items[0], corrected)
    assert (response.status_code, judge in response.json()["detail"]) == (409, True)


async def test_item_of_another_run_is_refused(world: World) -> None:
    # Both runs have the same judge, hence the same revision, and people correct it in both.
    first, judge, items = await finished(world, score_at_eight)
    second, same_judge, others = await finished(world, score_at_eight)
    assert judge == same_judge
    await overruled(world, first, items[0], judge)
    await overruled(world, second, others[0], judge)
    for item_id in others[:2]:
        response = await overrule(world, first, item_id, judge, score=1)
        assert (response.status_code, response.json()["title"]) == (404, "No such score"), response.text
    response = await world.http.delete(path(first, others[0], judge), params={"by": "Bo"})
    assert response.status_code == 404, response.text
    (held,) = (await world.http.get(path(second, others[0]))).json()["items"]
    assert (held["score"], held["holds"]) == (3, True)


async def test_scores_of_a_run_that_goes_on_cannot_be_overruled(world: World) -> None:
    paused = asyncio.Event()

    async def answer(_: GenerateCompletion) -> Outcome:
        await paused.wait()
        return answered()

    world.answer = answer
    run_id = await world.start()
    await world.http.post(f"/api/runs/{run_id}/pause")
    paused.set()
    run = await world.until_status(run_id, "PAUSED")
    items = await world.items(run_id)
    response = await overrule(world, run_id, items[0]["id"], run["evaluators"][0]["revision_id"])
    assert (response.status_code, response.json()["run_status"]) == (409, "PAUSED")


async def test_deleted_run_takes_its_overrulings_along(world: World) -> None:
    run_id, judge, items = await finished(world, score_at_eight)
    await overruled(world, run_id, items[0], judge)
    assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204
    count = select(func.count()).select_from(t.overruling).where(t.overruling.c.run_id == run_id)
    async with world.engine.connect() as connection:
        assert (await connection.execute(count)).scalar_one() == 0
