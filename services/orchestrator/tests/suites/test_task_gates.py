"""Test the gates between the tasks of suite runs: what waits, what is skipped, and what a retry changes."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from run_versions import a_case, insert_version
from run_world import World, answered, contained
from sqlalchemy import text
from suite_runs import a_task, insert_suite, request, started, suite_result

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Refused

pytestmark = pytest.mark.never_rerun

Json = dict[str, Any]


def gate(task: str, min_score: float = 0.5) -> Json:
    return {"gate": [{"task": task, "min_score": min_score}]}


async def four_tasks(world: World, cases: int = 2) -> UUID:
    """Insert a suite of four tasks: "first", "gated" with a gate on "first", "later" after "gated", and "free"."""
    versions = {}
    for name in ("first", "gated", "later", "free"):
        rows = [a_case(f"{name}-{number}") for number in range(cases)]
        versions[name] = await insert_version(world, rows, dataset=name)
    return await insert_suite(
        world,
        a_task("first", versions["first"]),
        a_task("gated", versions["gated"], **gate("first")),
        a_task("later", versions["later"], after=["gated"]),
        a_task("free", versions["free"]),
    )


def scoring(world: World, **scores: float) -> None:
    """Let a program score the answers. `scores` maps each task to the score of its answers; answers to other tasks get
    1."""

    async def judge(command: JudgeAnswer) -> Verdict:
        verdict = contained(True)
        value = scores.get(command.case.suite_task or "", 1.0)
        return verdict.model_copy(update={"raw": value, "normalised": value, "passed": value >= 0.5})

    world.judge = judge


async def statuses(world: World, run_id: UUID) -> dict[str, list[str]]:
    """Return the states of the items of each target and task."""
    found: dict[str, list[str]] = {}
    for item in await world.items(run_id):
        found.setdefault(f"{item['target_label']} {item['suite_task']}", []).append(item["status"])
    return found


async def gates_of(world: World, run_id: UUID) -> list[tuple[str, float | None]]:
    async with world.engine.connect() as connection:
        query = text("SELECT status, score FROM run_task_gate WHERE run_id = :id ORDER BY target_id, last_position")
        return [(row.status, row.score) for row in await connection.execute(query, {"id": run_id})]


async def recounted(world: World, run_id: UUID) -> None:
    """Check that the stored counters of the run and of its groups equal a count of its items and scores."""
    async with world.engine.connect() as connection:
        run = (
            await connection.execute(
                text("SELECT judged_count, failed_count, skipped_count, open_task_gates FROM run WHERE id = :id"),
                {"id": run_id},
            )
        ).one()
        items = (
            await connection.execute(
                text(
                    "SELECT count(*) FILTER (WHERE status = 'COMPLETED'), count(*) FILTER (WHERE status = 'FAILED'),"
                    " count(*) FILTER (WHERE status = 'SKIPPED'),"
                    " (SELECT count(*) FROM run_task_gate WHERE run_id = :id AND status = 'OPEN')"
                    " FROM item WHERE run_id = :id"
                ),
                {"id": run_id},
            )
        ).one()
        left = await connection.scalar(
            text("SELECT sum(new_count + in_flight_count) FROM run_group WHERE run_id = :id"), {"id": run_id}
        )
    assert tuple(run) == tuple(items)
    assert left == 0


async def test_passed_gate_lets_the_task_be_asked_while_the_model_stays_loaded(world: World) -> None:
    scoring(world)
    run_id = await started(world, await four_tasks(world), "model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"], run["counts"]["skipped"]) == ("complete", 16, 0)
    assert [command.request.model for command in world.calls(Purpose.WARM_UP)] == ["model-a", "model-b"]
    assert await gates_of(world, run_id) == [("PASSED", 1.0)] * 2
    asked = [command.request.model for command in world.calls()]
    assert asked == ["model-a"] * 8 + ["model-b"] * 8
    await recounted(world, run_id)


async def test_gated_items_wait_until_every_answer_of_the_gating_task_is_scored(world: World) -> None:
    held, goes_on = asyncio.Event(), asyncio.Event()

    async def judge(command: JudgeAnswer) -> Verdict:
        if command.case.task_id == "first/first-1":
            held.set()
            await goes_on.wait()
        return contained(True)

    world.judge = judge
    run_id = await started(world, await four_tasks(world))
    await held.wait()

    async def free_is_asked() -> bool:
        return {"free/free-0", "free/free-1"} <= {await _name(world, command) for command in world.calls()}

    await world.eventually(free_is_asked)
    asked = {await _name(world, command) for command in world.calls()}
    assert not any(name.startswith(("gated/", "later/")) for name in asked), "they wait for the gate"
    run = (await world.http.get(f"/api/runs/{run_id}")).json()
    assert (run["status"], run["phase"]) == ("RUNNING", "BENCHMARKING")
    assert [group["status"] for group in run["groups"]] == ["OPEN", "OPEN"], "the model stays loaded"
    goes_on.set()
    assert (await world.until_status(run_id, "FINISHED"))["outcome"] == "complete"
    await recounted(world, run_id)


async def _name(world: World, command: GenerateCompletion) -> str:
    async with world.engine.connect() as connection:
        query = text("SELECT task_id FROM item WHERE id = :id")
        return str(await connection.scalar(query, {"id": command.item_id}))


async def test_failed_gate_skips_the_task_and_what_depends_on_it_for_that_target(world: World) -> None:
    async def judge(command: JudgeAnswer) -> Verdict:
        return contained(command.answer != "wrong")

    async def answer(command: GenerateCompletion) -> Outcome:
        bad = command.request.model == "model-a" and "first-0" in command.request.messages[-1].content
        return answered("wrong" if bad else "42")

    world.judge, world.answer = judge, answer
    versions = await four_tasks(world, cases=2)
    run_id = await started(world, versions, "model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete", "half right is enough"
    assert await gates_of(world, run_id) == [("PASSED", 0.5), ("PASSED", 1.0)]


async def test_skipped_items_have_a_reason_and_count_apart(world: World) -> None:
    scoring(world, first=0.25)
    run_id = await started(world, await four_tasks(world))
    run = await world.until_status(run_id, "FINISHED")
    assert await statuses(world, run_id) == {
        "model-a first": ["COMPLETED"] * 2,
        "model-a gated": ["SKIPPED"] * 2,
        "model-a later": ["SKIPPED"] * 2,
        "model-a free": ["COMPLETED"] * 2,
    }
    assert run["outcome"] == "complete", "what is skipped does not count"
    assert run["counts"] == {"items": 8, "answered": 4, "judged": 4, "failed": 0, "skipped": 4}
    reasons = {item["suite_task"]: item["reason"] for item in await world.items(run_id) if item["status"] == "SKIPPED"}
    assert reasons == {
        "gated": "Skipped: 'first' scored 0.25, and 'gated' needs 0.5.",
        "later": "Skipped: 'later' waits for 'gated': 'first' scored 0.25, and 'gated' needs 0.5.",
    }
    assert len(world.calls()) == 4
    await recounted(world, run_id)
    (target,) = run["results"]
    assert (target["items"], target["completed"], target["skipped"], target["scored"]) == (8, 4, 4, 4)

    result = await suite_result(world, run_id)
    assert [task["gate"] for task in result["tasks"]] == [[], [], [{"task": "first", "min_score": 0.5}], []]
    (target,) = result["targets"]
    because = "'first' scored 0.25, and 'gated' needs 0.5"
    assert [(task["task"], task["state"], task["skipped"], task["skipped_because"]) for task in target["tasks"]] == [
        ("first", "COMPLETED", 0, None),
        ("free", "COMPLETED", 0, None),
        ("gated", "SKIPPED", 2, because),
        ("later", "SKIPPED", 2, f"'later' waits for 'gated': {because}"),
    ]
    (decided,) = target["tasks"][2]["gates"]
    assert decided == {"task": "first", "min_score": 0.5, "status": "FAILED", "score": 0.25, "scored": 2}
    assert (target["score"], target["complete"], target["scored"], target["items"]) == (0.625, False, 4, 8)
    assert target["missing"][0] == {"task": "gated", "reason": f"it was skipped: {because}"}
    assert target["completeness"].startswith("The score covers 2 of 4 tasks, without 'gated', 'later'")
    shown = (await world.http.get(f"/v1/benchmarks/runs/{run_id}")).json()
    assert shown["progress"] == {"total_tasks": 4, "completed_tasks": 4, "total_items": 8, "completed_items": 8}
    assert [(task["status"], task["items_skipped"]) for task in shown["results"]["tasks"]] == [
        *[("COMPLETED", 0)] * 2,
        *[("SKIPPED", 2)] * 2,
    ]
    listed = await world.http.get(f"/api/runs/{run_id}/items", params={"status": "SKIPPED"})
    assert len(listed.json()["items"]) == 4
    for format_ in ("csv", "junit", "jsonl"):
        exported = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": format_})).text
        assert exported.count("Skipped: ") == 4, f"{format_} says why"


async def test_answers_without_a_score_are_lacking_and_a_retry_decides_again(world: World) -> None:
    refuses = True

    async def answer(command: GenerateCompletion) -> Outcome:
        asks_first = "of first" in command.request.messages[-1].content
        return Refused(message="no") if refuses and asks_first else answered()

    world.answer = answer
    scoring(world)
    run_id = await started(world, await four_tasks(world))
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"], run["counts"]["skipped"]) == ("partial", 2, 4)
    assert await gates_of(world, run_id) == [("FAILED", None)]
    (reason,) = {item["reason"] for item in await world.items(run_id) if item["suite_task"] == "gated"}
    assert reason == "Skipped: 'first' has no score, and 'gated' needs 0.5."
    await recounted(world, run_id)

    refuses = False
    response = await world.http.post(f"/api/runs/{run_id}/retry-failed", json={})
    assert response.status_code == 202, response.text
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"], run["counts"]["skipped"]) == ("complete", 8, 0)
    assert await gates_of(world, run_id) == [("PASSED", 1.0)]
    assert all(item["reason"] == "It is there." for item in await world.items(run_id))
    await recounted(world, run_id)


async def test_run_without_the_gating_task_is_refused(world: World) -> None:
    suite_id = await four_tasks(world)
    response = await world.http.post("/v1/benchmarks/runs", json=request(suite_id, tasks=["gated", "free"]))
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert error == {
        "field": "tasks",
        "message": "'gated' has a gate on 'first', which the run leaves out: name both",
    }
    plan = await world.http.post("/v1/benchmarks/runs", params={"dry_run": True}, json=request(suite_id))
    assert plan.json()["levels"] == [["first", "free"], ["gated"], ["later"]]
    assert plan.json()["tasks"][2]["gate"] == [{"task": "first", "min_score": 0.5}]


async def test_gates_in_a_row_are_decided_and_reopened_together(world: World) -> None:
    """The first of two gates fails. The second gate fails too, because its task has no scores. A retry of the first
    task opens both gates again."""
    versions = [
        await insert_version(world, [a_case(f"{name}-{number}") for number in range(2)], dataset=name)
        for name in ("one", "two", "three")
    ]
    suite_id = await insert_suite(
        world,
        a_task("one", versions[0]),
        a_task("two", versions[1], **gate("one", 0.75)),
        a_task("three", versions[2], **gate("two", 1)),
    )
    refuses = True

    async def answer(command: GenerateCompletion) -> Outcome:
        asks_one = "of one" in command.request.messages[-1].content
        return Refused(message="no") if refuses and asks_one else answered()

    world.answer = answer
    scoring(world)
    run_id = await started(world, suite_id, "model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    assert (run["counts"]["failed"], run["counts"]["skipped"]) == (4, 8)
    assert await gates_of(world, run_id) == [("FAILED", None)] * 4
    assert run["outcome"] == "failed", "nothing was completed"
    await recounted(world, run_id)

    refuses = False
    (first, *_) = [item["id"] for item in await world.items(run_id) if item["status"] == "FAILED"]
    response = await world.http.post(f"/api/runs/{run_id}/retry-failed", json={"item_ids": [first]})
    assert response.status_code == 202, response.text
    run = await world.until_status(run_id, "FINISHED")
    assert await gates_of(world, run_id) == [("PASSED", 1.0)] * 2 + [("FAILED", None)] * 2, "of that target only"
    assert (run["counts"]["judged"], run["counts"]["failed"], run["counts"]["skipped"]) == (5, 3, 4)
    # A gate that has passed stays so, whatever the other answers of its task are.
    scoring(world, one=0)
    await world.http.post(f"/api/runs/{run_id}/retry-failed", json={})
    run = await world.until_status(run_id, "FINISHED")
    assert await gates_of(world, run_id) == [("PASSED", 1.0)] * 2 + [("FAILED", 0.0), ("FAILED", None)]
    assert (run["outcome"], run["counts"]["judged"], run["counts"]["skipped"]) == ("complete", 8, 4)
    await recounted(world, run_id)


async def test_task_with_two_gates_needs_both(world: World) -> None:
    versions = [
        await insert_version(world, [a_case(f"{name}-{number}") for number in range(2)], dataset=name)
        for name in ("low", "high", "both")
    ]
    gates: Json = {"gate": [{"task": "low", "min_score": 0.5}, {"task": "high", "min_score": 0.5}]}
    suite_id = await insert_suite(
        world, a_task("low", versions[0]), a_task("high", versions[1]), a_task("both", versions[2], **gates)
    )
    scoring(world, low=0.25)
    run_id = await started(world, suite_id)
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"]["skipped"] == 2
    assert sorted(await gates_of(world, run_id)) == [("FAILED", 0.25), ("PASSED", 1.0)]
    await recounted(world, run_id)


async def test_paused_run_keeps_its_gate_and_goes_on(world: World) -> None:
    held, goes_on = asyncio.Event(), asyncio.Event()

    async def judge(command: JudgeAnswer) -> Verdict:
        if command.case.suite_task == "first":
            held.set()
            await goes_on.wait()
        return contained(True)

    world.judge = judge
    run_id = await started(world, await four_tasks(world))
    await held.wait()
    assert (await world.http.post(f"/api/runs/{run_id}/pause")).status_code == 202
    goes_on.set()
    run = await world.until_status(run_id, "PAUSED")
    assert run["phase"] == "BENCHMARKING"
    assert (await world.http.post(f"/api/runs/{run_id}/resume")).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"]) == ("complete", 8)
    assert await gates_of(world, run_id) == [("PASSED", 1.0)]
    await recounted(world, run_id)


async def test_judged_task_after_a_gate_is_judged_when_all_answers_are_there(world: World) -> None:
    """The judge scores the gated task after all models have answered, as in any run. Only the task that decides the
    gate is scored earlier, by programs."""
    versions = [await insert_version(world, [a_case(name)], dataset=name) for name in ("one", "two")]
    rubric = {"kind": "rubric", "needs_judge": True}
    suite_id = await insert_suite(
        world, a_task("one", versions[0]), a_task("two", versions[1], evaluators=[rubric], **gate("one"))
    )
    scoring(world)
    run_id = await started(world, suite_id, "model-a", "model-b", judge={"name": "judge", "provider": "mock"})
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["judged"]) == ("complete", 4)
    order = [
        "score " + (command.case.suite_task or "") if isinstance(command, JudgeAnswer) else command.request.model
        for command in world.seen
        if isinstance(command, JudgeAnswer) or (isinstance(command, GenerateCompletion) and command.item_id)
    ]
    assert order == ["model-a", "score one", "model-a", "model-b", "score one", "model-b", *["score two"] * 2]
    await recounted(world, run_id)
