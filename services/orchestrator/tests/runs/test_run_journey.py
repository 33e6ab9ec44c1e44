"""Test a run from POST to FINISHED, through the real database and broker."""

import csv
import io
import json

import pyarrow.parquet
import pytest
from run_world import World, scored

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.release_model import ReleaseModel


async def test_run_finishes_after_both_phases(world: World) -> None:
    run_id = await world.start("model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")

    assert run["outcome"] == "complete"
    assert run["counts"] == {"items": 6, "answered": 6, "judged": 6, "failed": 0, "skipped": 0}
    assert run["mean_score"] == 0.9
    assert [(result["label"], result["scored"], result["pass_rate"]) for result in run["results"]] == [
        ("model-a", 3, 1.0),
        ("model-b", 3, 1.0),
    ]
    assert {group["status"] for group in run["groups"]} == {"CLOSED"}
    items = await world.items(run_id)
    assert [item["status"] for item in items] == ["COMPLETED"] * 6
    assert {(item["score"], item["reason"], item["time_ms"]) for item in items} == {(9.0, "The sum is right.", 10)}


async def test_groups_run_one_after_another_and_judging_comes_last(world: World) -> None:
    run_id = await world.start("model-a", "model-b")
    await world.until_status(run_id, "FINISHED")

    def name(command: object) -> str:
        match command:
            case GenerateCompletion(purpose=purpose, request=request):
                return f"{purpose} {request.model}"
            case ReleaseModel(model=model):
                return f"release {model}"
            case JudgeAnswer():
                return "judge"
        raise AssertionError(command)

    assert [name(command) for command in world.seen] == [
        "warm_up model-a",
        *["item model-a"] * 3,
        "release model-a",
        "warm_up model-b",
        *["item model-b"] * 3,
        "release model-b",
        "warm_up judge",
        *["judge"] * 6,
        "release judge",
    ]


async def test_judge_that_is_also_a_target_comes_last_and_stays_loaded(world: World) -> None:
    run_id = await world.start("judge", "model-a", allow_self_judging=True)
    await world.until_status(run_id, "FINISHED")
    assert [call.request.model for call in world.calls(Purpose.WARM_UP)] == ["model-a", "judge", "judge"]
    releases = [command.model for command in world.seen if isinstance(command, ReleaseModel)]
    assert releases == ["model-a", "judge"]


@pytest.mark.shows("I-13")
async def test_event_log_has_no_gaps_and_ends_with_the_final_status(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    page = (await world.http.get(f"/api/runs/{run_id}/events", params={"limit": 1000})).json()
    assert [event["run_seq"] for event in page["events"]] == list(range(1, page["last_seq"] + 1))
    statuses = [event["status"] for event in page["events"] if event["type"] == "llmbench.run.status_changed.v1"]
    assert statuses == ["RUNNING", "RUNNING", "FINISHED"]
    kinds = {event["kind"] for event in page["events"] if event["type"] == "llmbench.run.logged.v1"}
    assert kinds == {"note", "prompt", "answer", "verdict"}
    progress = [event for event in page["events"] if event["type"] == "llmbench.run.progressed.v1"]
    assert (progress[-1]["judged"], progress[-1]["items"]) == (3, 3)


async def test_csv_export_has_every_item_with_its_answer(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    response = await world.http.get(f"/api/runs/{run_id}/export?format=csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [(row["task_id"], row["answer"], row["score"]) for row in rows] == [
        ("task-0", "42", "9.0"),
        ("task-1", "42", "9.0"),
        ("task-2", "42", "9.0"),
    ]


async def test_extraction_of_a_score_is_shown_and_exported(world: World) -> None:
    read = {"answer": "42", "answer_rule": "last number", "reference": "=42", "reference_rule": "marker:####"}

    async def judge(command: JudgeAnswer) -> Verdict:
        # Details from another version of the evaluator may have an unknown format, and must not be shown.
        extraction = {"task-0": read, "task-1": "42"}.get(command.case.task_id)
        return scored().model_copy(update={"details": {"extraction": extraction} if extraction else {}})

    world.judge = judge
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    shown = [
        (await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json()["scores"][0]["extraction"]
        for item in await world.items(run_id)
    ]
    assert shown == [read, None, None]
    lines = (await world.http.get(f"/api/runs/{run_id}/export?format=jsonl")).text.splitlines()
    assert [json.loads(line)["scores"][0]["extraction"] for line in lines] == shown
    table = (await world.http.get(f"/api/runs/{run_id}/export?format=csv")).text
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["rubric.extraction_answer"] for row in rows] == ["42", "", ""]
    assert rows[0]["rubric.extraction_reference"] == "'=42", "a formula is neutralised"
    assert rows[0]["rubric.extraction_reference_rule"] == "marker:####"
    file = (await world.http.get(f"/api/runs/{run_id}/export?format=parquet")).content
    scores = pyarrow.parquet.read_table(io.BytesIO(file)).to_pylist()
    assert [row["scores"][0]["extraction_answer"] for row in scores] == ["42", None, None]


async def test_item_detail_has_case_answer_and_scores(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    item = (await world.items(run_id))[0]
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json()
    assert detail["case"]["question"] == "What is 0 + 1?"
    assert detail["case"]["pass"] == "a number"
    assert detail["answer"] == "42"
    assert [(score["outcome"], score["raw"]) for score in detail["scores"]] == [("scored", 9.0)]
