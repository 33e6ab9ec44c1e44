"""Test reopening a finished run, to repeat failed answers or scores or to use another judge, and deleting a run."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from nats.js.errors import KeyNotFoundError
from run_world import World, answered, scored
from sqlalchemy import text

from llmbench.contracts.answer_scored import Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Malformed, Outcome, Rejected
from llmbench.messaging.streams import COMMANDS, EVENTS

pytestmark = pytest.mark.never_rerun


def answers_but(question: str) -> Callable[[GenerateCompletion], Awaitable[Outcome]]:
    async def answer(command: GenerateCompletion) -> Outcome:
        malformed = question in command.request.messages[-1].content
        return Malformed(message="no choices") if malformed else answered()

    return answer


async def cannot_read_task_1(command: JudgeAnswer) -> Verdict:
    first = command.judge is not None and command.judge.model == "judge"
    if command.case.task_id == "task-1" and first:
        return Unparsed(problem="no JSON", raw_text="hm")
    return scored(9 if first else 4)


async def order(world: World, run_id: UUID, what: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
    response = await world.http.post(f"/api/runs/{run_id}/{what}", json=body, headers=headers)
    return response.status_code, response.json()


async def test_failed_answers_are_requested_again_and_then_judged(world: World) -> None:
    world.answer = answers_but("What is 1")
    run_id = await world.start(max_attempts=1)
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("partial", 1)
    world.answer = answers_but("nothing")
    world.seen.clear()
    status, summary = await order(world, run_id, "retry-failed")
    assert (status, summary["status"], summary["phase"]) == (202, "RUNNING", "BENCHMARKING")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 3, "failed": 0, "skipped": 0}
    assert [call.item_id is not None for call in world.calls()] == [True], "only the failed answer"
    assert [call.request.model for call in world.calls(Purpose.WARM_UP)] == ["model-a", "judge"]
    assert len([command for command in world.seen if isinstance(command, JudgeAnswer)]) == 1


async def test_failed_group_continues_after_its_provider_was_corrected(world: World) -> None:
    async def unauthorized(command: GenerateCompletion) -> Outcome:
        return Rejected(message="wrong key", http_status=401, cause="unauthorized")

    world.answer = unauthorized
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("failed", 3)
    async with world.engine.begin() as connection:
        await connection.execute(text("UPDATE provider SET base_url = 'http://elsewhere'"))
    world.answer = answers_but("nothing")
    world.seen.clear()
    assert (await order(world, run_id, "retry-failed"))[0] == 202
    assert (await world.until_status(run_id, "FINISHED"))["outcome"] == "complete"
    assert {call.provider.base_url for call in world.calls()} == {"http://elsewhere"}


async def test_failed_scores_are_retried_without_new_answers(world: World) -> None:
    world.judge = cannot_read_task_1
    run_id = await world.start(max_attempts=1)
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 2, "failed": 1, "skipped": 0}
    (judge,) = run["evaluators"]
    assert (judge["asked"], judge["scored"], judge["unparsed"], judge["primary"]) == (3, 2, 1, True)
    assert run["totals"]["scored"] == 2

    async def reads_all(_: JudgeAnswer) -> Verdict:
        return scored(6)

    world.judge = reads_all
    world.seen.clear()
    failed = next(item for item in await world.items(run_id) if item["status"] == "FAILED")
    status, summary = await order(world, run_id, "retry-judging", {"item_ids": [failed["id"]]})
    assert (status, summary["phase"]) == (202, "JUDGING")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert not world.calls(), "no target is called"
    assert run["totals"]["mean_score"] == pytest.approx((0.9 + 0.9 + 0.6) / 3)


async def test_another_judge_for_failed_scores_is_not_mixed_into_the_mean(world: World) -> None:
    world.judge = cannot_read_task_1
    run_id = await world.start(max_attempts=1)
    await world.until_status(run_id, "FINISHED")
    other = {"provider_id": str(world.provider_id), "model": "model-b"}
    assert (await order(world, run_id, "retry-judging", {"judge": other}))[0] == 202
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    first, second = run["evaluators"]
    assert [(evaluator["judge_model"], evaluator["primary"], evaluator["whole"]) for evaluator in (first, second)] == [
        ("judge", True, True),
        ("model-b", False, False),
    ]
    assert (second["asked"], second["scored"], second["mean_score"]) == (1, 1, 0.4)
    assert (run["totals"]["scored"], run["totals"]["mean_score"], run["mean_score"]) == (2, 0.9, 0.9)
    items = await world.items(run_id)
    assert [item["score"] for item in items] == [9, 4, 9]
    assert {item["score_revision_id"] for item in items} == {first["revision_id"], second["revision_id"]}
    for more, judged in (({}, "answer whose judging failed"), ({"item_ids": [items[1]["id"]]}, "named answer")):
        status, problem = await order(world, run_id, "retry-judging", {"judge": other} | more)
        assert (status, problem["detail"]) == (409, f"model-b has scored every {judged} already.")


async def test_all_answers_can_be_scored_by_another_judge(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")

    async def stricter(_: JudgeAnswer) -> Verdict:
        return scored(4)

    world.judge = stricter
    world.seen.clear()
    other = {"provider_id": str(world.provider_id), "model": "model-b"}
    body = {"judge": other, "scope": "all"}
    assert (await order(world, run_id, "retry-judging", body))[0] == 202
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 3, "failed": 0, "skipped": 0}
    assert not world.calls(), "no target is called"
    assert [
        (evaluator["judge_model"], evaluator["primary"], evaluator["mean_score"]) for evaluator in run["evaluators"]
    ] == [
        ("judge", True, pytest.approx(0.9)),
        ("model-b", False, pytest.approx(0.4)),
    ]
    assert run["totals"]["mean_score"] == pytest.approx(0.9)
    assert {item["score"] for item in await world.items(run_id)} == {9}
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{(await world.items(run_id))[0]['id']}")).json()
    assert [(score["judge_model"], score["raw"]) for score in detail["scores"]] == [("judge", 9), ("model-b", 4)]
    status, problem = await order(world, run_id, "retry-judging", body)
    assert (status, problem["title"]) == (409, "Nothing to judge")
    assert problem["detail"] == "model-b has scored every answer of this run already."


@pytest.mark.parametrize(
    ("what", "body", "status", "named"),
    [
        ("retry-failed", None, 409, "No item of this run failed"),
        ("retry-judging", None, 409, "Judging failed on no item"),
        ("retry-failed", {"item_ids": [str(uuid4())]}, 422, "item_ids"),
        ("retry-judging", {"scope": "all"}, 422, "needs a judge"),
        ("retry-judging", {"judge": {"provider_id": str(uuid4()), "model": "judge"}}, 422, "judge.provider_id"),
        ("retry-judging", {"judge": "x"}, 422, "judge"),
    ],
)
async def test_invalid_retry_is_refused_and_changes_nothing(
    world: World, what: str, body: dict[str, Any] | None, status: int, named: str
) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    found, problem = await order(world, run_id, what, body)
    assert found == status
    assert named in str(problem)
    run = (await world.http.get(f"/api/runs/{run_id}")).json()
    assert (run["status"], len(run["evaluators"]), len(run["groups"])) == ("FINISHED", 1, 2), "nothing half done"


async def test_target_may_judge_itself_only_if_allowed(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    body: dict[str, Any] = {"judge": {"provider_id": str(world.provider_id), "model": "model-a"}, "scope": "all"}
    status, problem = await order(world, run_id, "retry-judging", body)
    assert (status, problem["errors"][0]["field"]) == (422, "judge.model")
    assert (await order(world, run_id, "retry-judging", body | {"allow_self_judging": True}))[0] == 202
    run = await world.until_status(run_id, "FINISHED")
    assert [warning["kind"] for warning in run["warnings"]] == ["self_judging"]


async def test_retry_is_refused_while_another_run_is_active(world: World) -> None:
    world.answer = answers_but("What is 1")
    run_id = await world.start(max_attempts=1)
    await world.until_status(run_id, "FINISHED")
    hold = asyncio.Event()

    async def slow(_: GenerateCompletion) -> Outcome:
        await hold.wait()
        return answered()

    world.answer = slow
    active = await world.start()
    status, problem = await order(world, run_id, "retry-failed")
    assert (status, problem["active_run_id"]) == (409, str(active))
    assert (await world.http.delete(f"/api/runs/{active}")).status_code == 409
    hold.set()
    await world.until_status(active, "FINISHED")


async def test_retry_sent_twice_with_one_idempotency_key_runs_once(world: World) -> None:
    world.answer = answers_but("What is 1")
    run_id = await world.start(max_attempts=1)
    await world.until_status(run_id, "FINISHED")
    key = {"Idempotency-Key": "again-1"}
    assert (await order(world, run_id, "retry-failed", None, **key))[0] == 202
    await world.until_status(run_id, "FINISHED")
    calls_before = len(world.calls())
    status, summary = await order(world, run_id, "retry-failed", None, **key)
    assert (status, summary["status"]) == (202, "FINISHED")
    assert len(world.calls()) == calls_before
    status, problem = await order(world, run_id, "retry-judging", None, **key)
    assert (status, problem["title"]) == (422, "Idempotency-Key used before")


async def test_deleted_run_leaves_no_rows(world: World) -> None:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204
    assert (await world.http.get(f"/api/runs/{run_id}")).status_code == 404
    assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 404
    async with world.engine.connect() as connection:
        for table in ("item", "score", "run_event", "run_group", "target", "model_call", "run_evaluator"):
            count = await connection.execute(text(f"SELECT count(*) FROM {table} WHERE run_id = :id"), {"id": run_id})
            assert count.scalar_one() == 0, table
    for stream, subject in ((COMMANDS, f"cmd.*.*.{run_id}"), (EVENTS, f"evt.run.{run_id}.>")):
        info = await world.js.stream_info(stream, subjects_filter=subject)
        assert not info.state.subjects
    with pytest.raises(KeyNotFoundError):
        await (await world.js.key_value("run_state")).get(str(run_id))
