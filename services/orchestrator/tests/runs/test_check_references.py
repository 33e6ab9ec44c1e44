"""Test that references which the judge cannot read are reported when a run is created, before any call is paid for."""

import json
from typing import Any

from run_versions import insert_version
from run_world import World
from sqlalchemy import text

from llmbench.messaging.fence import fence
from orchestrator.runs.handlers import check_references as handler

NUMERIC: dict[str, Any] = {"kind": "numeric"}


def _cases(*references: str | None) -> list[dict[str, Any]]:
    return [
        {
            "name": f"case-{index}",
            "input": {"prompt": "How many?", "context": "x" * 100},
            "expected_output": reference,
            "metadata": {},
            "truth": None,
        }
        for index, reference in enumerate(references)
    ]


async def test_run_without_any_readable_reference_is_refused_before_any_call(world: World) -> None:
    version = await insert_version(world, _cases("many", "a few", "some", "more", "less"))
    body = world.body(collection_ids=[], dataset_version_ids=[str(version)], evaluators=[NUMERIC])
    answer = await world.http.post("/api/runs", json=body)
    assert answer.status_code == 422, answer.text
    [error] = answer.json()["errors"]
    assert error["field"].startswith("evaluators.0")
    assert error["message"].startswith("'numeric' cannot read the references of any of 5 cases.")
    assert "case-0" in error["message"]
    assert error["message"].endswith("And 2 more.")
    assert (await world.http.get("/api/runs")).json()["items"] == []
    assert world.calls() == []


async def test_some_unreadable_references_cause_a_warning_and_a_log_line(world: World) -> None:
    version = await insert_version(world, _cases("1", "a few", "3"))
    run_id = await world.start(collection_ids=[], dataset_version_ids=[str(version)], evaluators=[NUMERIC])
    run = (await world.http.get(f"/api/runs/{run_id}")).json()
    [warning] = run["warnings"]
    assert warning["kind"] == "unreadable_references"
    assert warning["message"].startswith("'numeric' cannot read the references of 1 of 3 cases: ")
    assert "case-1" in warning["message"]
    lines = (await world.http.get(f"/api/runs/{run_id}/log")).json()["lines"]
    assert warning["message"] in [line["text"] for line in lines if line["level"] == "warning"]
    # Fields from which 'numeric' reads no reference, such as the context, are not sent to the judge.
    assert {case.context for request in world.checked for case in request.cases} == {None}


async def test_evaluators_that_read_no_references_cause_no_check(world: World) -> None:
    await world.start(evaluators=[{"kind": "contains", "params": {"text": "4"}}, {"kind": "rubric"}])
    assert world.checked == []


async def test_tasks_of_a_collection_are_checked_too(world: World) -> None:
    async with world.engine.begin() as connection:
        await connection.execute(text("UPDATE task SET excellent = 'many'"))
    answer = await world.http.post("/api/runs", json=world.body(evaluators=[NUMERIC]))
    assert answer.status_code == 422, answer.text


async def test_accepted_answers_of_tasks_are_references(world: World) -> None:
    async with world.engine.begin() as connection:
        await connection.execute(text("""UPDATE task SET excellent = NULL, accepted_answers = '["42"]'"""))
    await world.start(evaluators=[NUMERIC])
    (request,) = world.checked
    assert {case.ground_truth.acceptable_answers for case in request.cases if case.ground_truth} == {("42",)}


async def test_cases_that_an_evaluator_does_not_score_are_not_checked(world: World) -> None:
    cases = _cases("1", "two", "three")
    for case in cases[1:]:
        case["metadata"] = {"category": "words"}
    version = await insert_version(world, cases)
    limited = [{**NUMERIC, "unless": {"category": "words"}}, {"kind": "rubric", "only": {"category": "words"}}]
    run_id = await world.start(collection_ids=[], dataset_version_ids=[str(version)], evaluators=limited)
    assert [[case.task_id for case in request.cases] for request in world.checked] == [["case-0"]]
    assert (await world.http.get(f"/api/runs/{run_id}")).json()["warnings"] == []


async def test_references_are_checked_for_evaluators_added_to_a_finished_run(world: World) -> None:
    version = await insert_version(world, _cases("a few", "2", "many"))
    run_id = await world.start(collection_ids=[], dataset_version_ids=[str(version)])
    await world.until_status(run_id, "FINISHED")
    answer = await world.http.post(f"/api/runs/{run_id}/evaluators", json={"evaluators": [NUMERIC]})
    assert answer.status_code == 202, answer.text
    [warning] = (await world.http.get(f"/api/runs/{run_id}")).json()["warnings"]
    assert warning["message"].startswith("'numeric' cannot read the references of 2 of 3 cases: ")
    [request] = world.checked
    assert [case.task_id for case in request.cases] == ["case-0", "case-1", "case-2"]
    assert {case.context for case in request.cases} == {None}


async def test_evaluation_with_an_unreadable_reference_is_refused(world: World) -> None:
    body: dict[str, Any] = {"input": "How many?", "output": "three", "expected_output": "some", "metrics": ["rubric"]}
    body |= {"evaluators": [NUMERIC], "config": {"evaluator_model": "judge"}}
    answer = await world.http.post("/v1/evaluations", json=body)
    assert (answer.status_code, answer.json()["title"]) == (422, "Invalid evaluation")
    [error] = answer.json()["errors"]
    assert error["field"] == "evaluators.0"
    assert error["message"].startswith("'numeric' cannot read the reference of the only case that it scores. ")
    assert (await world.http.get("/v1/evaluations")).json()["total"] == 0


async def test_batch_evaluation_warns_about_unreadable_references(world: World) -> None:
    rows = [{"id": "a", "input": "?", "output": "1", "expected_output": "1"}]
    rows.append({"id": "b", "input": "?", "output": "2", "expected_output": "some"})
    file = "".join(json.dumps(row) + "\n" for row in rows)
    answer = await world.http.post(
        "/v1/evaluations/batch",
        files={"file": ("outputs.jsonl", file)},
        data={"request": json.dumps({"evaluators": [NUMERIC]})},
    )
    assert answer.status_code == 202, answer.text
    [warning] = answer.json()["warnings"]
    assert warning.startswith("'numeric' cannot read the references of 1 of 2 cases: ")


async def test_batch_checks_only_cases_that_the_file_has_outputs_for(world: World) -> None:
    version = await insert_version(world, _cases("1", "some"))
    answer = await world.http.post(
        "/v1/evaluations/batch",
        files={"file": ("outputs.jsonl", json.dumps({"id": "case-0", "output": "1"}))},
        data={"request": json.dumps({"dataset_version_id": str(version), "evaluators": [NUMERIC]})},
    )
    assert (answer.status_code, answer.json()["warnings"]) == (202, [])
    assert [[case.task_id for case in request.cases] for request in world.checked] == [["case-0"]]


async def test_large_run_checks_only_its_first_cases_and_says_so(world: World) -> None:
    count = handler.CASES_CHECKED + 1
    version = await insert_version(world, _cases("some", *["1"] * (count - 1)))
    run_id = await world.start(collection_ids=[], dataset_version_ids=[str(version)], evaluators=[NUMERIC])
    assert sum(len(request.cases) for request in world.checked) == handler.CASES_CHECKED
    [warning] = (await world.http.get(f"/api/runs/{run_id}")).json()["warnings"]
    assert "1 of the first 1,000 cases (the others were not checked)" in warning["message"]
    await world.http.post(f"/api/runs/{run_id}/cancel")


async def test_run_is_not_started_if_the_judge_service_does_not_answer(world: World) -> None:
    assert world.checking is not None
    await world.checking.unsubscribe()
    await fence(world.nats)
    answer = await world.http.post("/api/runs", json=world.body(evaluators=[NUMERIC]))
    assert (answer.status_code, answer.json()["title"]) == (503, "The judge service does not answer")
    assert (await world.http.get("/api/runs")).json()["items"] == []
