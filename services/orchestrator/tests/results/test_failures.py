"""Test that failures are grouped by cause, and that refused answers are counted, because a mean leaves them out."""

import csv
import io
from typing import Any
from uuid import UUID

from run_world import World, answered

from llmbench.contracts.answer_scored import Errored, JudgeRefused, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Malformed, Outcome, Refused, Rejected, Unavailable

WRONG_KEY = Rejected(message="401: the key is wrong", http_status=401, cause="unauthorized")
CUT = Unavailable(message="the connection was lost", retry_after_s=0.2, cause="connection_lost")


def _asks(command: GenerateCompletion, number: int) -> bool:
    return f"What is {number}" in command.request.messages[-1].content


async def _failures(world: World, run_id: UUID) -> Any:
    response = await world.http.get(f"/api/runs/{run_id}/failures")
    assert response.status_code == 200, response.text
    return response.json()


async def test_wrong_key_and_lost_connection_are_two_causes(world: World) -> None:
    """Six items fail for two causes: model-a has a wrong key, and model-b loses its connections. Only the warm-up calls
    of both models succeed."""

    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.WARM_UP:
            return answered()
        return WRONG_KEY if command.request.model == "model-a" else CUT

    world.answer = answer
    run_id = await world.start("model-a", "model-b", max_backoff_s=1)
    await world.until_status(run_id, "FINISHED")
    found = await _failures(world, run_id)
    assert found["items"] == 6
    causes = {cause["cause"]: (cause["phase"], cause["items"], cause["targets"]) for cause in found["causes"]}
    assert causes == {
        "unauthorized": ("BENCHMARKING", 3, ["model-a"]),
        "connection_lost": ("BENCHMARKING", 3, ["model-b"]),
    }
    chosen = {"failure_cause": "connection_lost"}
    items = (await world.http.get(f"/api/runs/{run_id}/items", params=chosen)).json()["items"]
    assert {item["model"] for item in items} == {"model-b"}
    assert len(items) == 3


async def test_items_of_a_group_with_a_failed_warm_up_have_its_cause(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return WRONG_KEY

    world.answer = answer
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    (cause,) = (await _failures(world, run_id))["causes"]
    assert (cause["cause"], cause["items"], cause["task_ids"]) == ("unauthorized", 3, ["task-0", "task-1", "task-2"])
    assert cause["messages"] == [{"message": "401: the key is wrong", "items": 3}]


async def test_refusal_and_content_filter_are_two_causes_and_both_count_as_zero(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM and _asks(command, 1):
            return Refused(message="The model refused: no.", cause="refusal")
        if command.purpose == Purpose.ITEM and _asks(command, 2):
            return Refused(message="The content filter stopped the answer.", cause="content_filter")
        return answered()

    world.answer = answer
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert {cause["cause"]: cause["items"] for cause in (await _failures(world, run_id))["causes"]} == {
        "refusal": 1,
        "content_filter": 1,
    }
    note = "2 answers were refused; they count as 0 when this run is compared, and are left out of this mean."
    assert run["results"][0]["zeros"] == {"refused": 2, "malformed": 0, "later_turns": 0, "note": note}
    assert run["totals"]["zeros"]["note"] == note
    assert run["results"][0]["scored"] == 1


async def test_answer_that_failed_for_another_reason_does_not_count_as_zero(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM and _asks(command, 1):
            return Rejected(message="too long", http_status=400, cause="context_overflow")
        return answered()

    world.answer = answer
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert (run["results"][0]["failed"], run["results"][0]["zeros"], run["totals"]["zeros"]) == (1, None, None)


async def test_comparison_says_for_each_column_what_its_mean_leaves_out(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.request.model == "model-b" and command.purpose == Purpose.ITEM and _asks(command, 1):
            return Malformed(message="no choices")
        return answered()

    world.answer = answer
    run_id = await world.start("model-a", "model-b", max_attempts=1)
    run = await world.until_status(run_id, "FINISHED")
    columns = [f"{run_id}:{target['id']}" for target in run["targets"]]
    found = (await world.http.get("/api/comparisons", params={"column": columns})).json()
    assert [column["figures"]["zeros"] and column["figures"]["zeros"]["malformed"] for column in found["columns"]] == [
        None,
        1,
    ]


async def test_failures_of_a_judge_are_grouped_by_cause(world: World) -> None:
    async def judge(command: JudgeAnswer) -> Verdict:
        if command.case.task_id == "task-0":
            return JudgeRefused(message="filtered", cause="content_filter")
        return Errored(failure=WRONG_KEY)

    world.judge = judge
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    found = (await _failures(world, run_id))["causes"]
    assert {(cause["phase"], cause["cause"]): cause["items"] for cause in found} == {
        ("JUDGING", "content_filter"): 1,
        ("JUDGING", "unauthorized"): 2,
    }


async def test_exports_name_the_cause_of_a_failure(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return WRONG_KEY

    world.answer = answer
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    exported = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "csv"})).text
    assert {row["error_cause"] for row in csv.DictReader(io.StringIO(exported))} == {"unauthorized"}
    junit = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "junit"})).text
    assert junit.count('type="unauthorized"') == 3
