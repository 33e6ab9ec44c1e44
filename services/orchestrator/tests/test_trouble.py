"""What a provider's or a judge's trouble does to a run."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import asyncpg
from run_world import World, answered, scored

from llmbench.contracts.answer_scored import Errored, Replies, Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Malformed, Outcome, RateLimited, Refused, Rejected, Unavailable


def failing_first(
    count: int, failure: Outcome, purpose: Purpose = Purpose.ITEM
) -> Callable[[GenerateCompletion], Awaitable[Outcome]]:
    """The first `count` calls of that purpose fail."""
    left = count

    async def answer(command: GenerateCompletion) -> Outcome:
        nonlocal left
        if command.purpose == purpose and left:
            left -= 1
            return failure
        return answered()

    return answer


async def test_a_malformed_answer_is_asked_for_again_under_a_new_call_id(world: World) -> None:
    world.answer = failing_first(1, Malformed(message="no choices"))
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert sorted(item["attempts"] for item in await world.items(run_id)) == [1, 1, 2]
    calls = world.calls()
    assert len({call.call_id for call in calls}) == len(calls) == 4


async def test_attempts_are_bounded_and_the_run_ends_partial(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return Malformed(message="no choices") if "What is 1" in command.request.messages[-1].content else answered()

    world.answer = answer
    run_id = await world.start(max_attempts=2)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "partial"
    assert run["counts"] == {"items": 3, "answered": 2, "judged": 2, "failed": 1}
    failed = next(item for item in await world.items(run_id) if item["status"] == "FAILED")
    assert failed["failure"] == {
        "phase": "BENCHMARKING",
        "kind": "malformed",
        "message": "no choices",
        "retryable": True,
    }
    assert failed["attempts"] == 2


async def test_a_rate_limit_slows_the_group_down_and_uses_up_no_attempt(world: World) -> None:
    world.answer = failing_first(2, RateLimited(message="429 Too Many Requests", retry_after_s=0.3))
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    told = [event["current"] for event in await world.events(run_id, "llmbench.run.progressed.v1") if event["current"]]
    assert {current["backoff_reason"] for current in told if current["backoff_until"]} == {"429 Too Many Requests"}
    assert {item["attempts"] for item in await world.items(run_id)} == {1}


async def test_a_wrong_key_fails_the_group_at_once_and_the_next_goes_on(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.request.model == "model-a" and command.purpose == Purpose.ITEM:
            return Rejected(message="401: the key is wrong", http_status=401, cause="unauthorized")
        return answered()

    world.answer = answer
    run_id = await world.start("model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "partial"
    statuses = {(group["model"], group["phase"]): group["status"] for group in run["groups"]}
    assert statuses[("model-a", "BENCHMARKING")] == "FAILED"
    assert statuses[("model-b", "BENCHMARKING")] == "CLOSED"
    assert [item["status"] for item in await world.items(run_id)] == ["FAILED"] * 3 + ["COMPLETED"] * 3
    assert len([call for call in world.calls() if call.request.model == "model-a"]) <= 3


async def test_a_failed_warm_up_fails_its_group_with_the_reason(world: World) -> None:
    world.answer = failing_first(3, Unavailable(message="connection refused", retry_after_s=0), Purpose.WARM_UP)
    run_id = await world.start("model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "partial"
    assert run["groups"][0]["failure_reason"] == "connection refused"
    failed = (await world.items(run_id))[0]["failure"]
    assert (failed["kind"], failed["message"]) == ("group_failed", "connection refused")


async def test_a_provider_gone_for_too_long_fails_the_group(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM:
            return Unavailable(message="connection refused", retry_after_s=0.2)
        return answered()

    world.answer = answer
    run_id = await world.start(max_backoff_s=1)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "failed"
    assert "in vain" in run["groups"][0]["failure_reason"]
    # Nobody has an answer: the judge's model is not loaded for nothing.
    assert [call.request.model for call in world.calls(Purpose.WARM_UP)] == ["model-a"]


async def test_a_refusal_fails_its_item_only(world: World) -> None:
    world.answer = failing_first(1, Refused(message="content filter"))
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"] == {"items": 3, "answered": 2, "judged": 2, "failed": 1}


async def test_a_verdict_not_understood_is_unparsed_at_once_and_never_zero(world: World) -> None:
    """The judge has asked twice by then: to ask it again is the user's to decide."""
    asked: list[str] = []

    async def judge(command: JudgeAnswer) -> Verdict:
        asked.append(command.case.task_id)
        if command.case.task_id == "task-0":
            return Unparsed(problem="no JSON object in the reply", raw_text="well…", replies=Replies(asked=1))
        return scored()

    world.judge = judge
    run_id = await world.start(max_attempts=3)
    run = await world.until_status(run_id, "FINISHED")
    items = await world.items(run_id)
    assert [item["status"] for item in items] == ["FAILED", "COMPLETED", "COMPLETED"]
    assert items[0]["failure"]["kind"] == "unparsed"
    assert items[0]["score"] is None
    assert run["mean_score"] == 0.9
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{items[0]['id']}")).json()
    assert [(score["outcome"], score["attempts"]) for score in detail["scores"]] == [("unparsed", 1)]
    assert asked.count("task-0") == 1
    (rubric,) = run["evaluators"]
    assert (rubric["judging"]["asked"], rubric["judging"]["parse_rate"]) == (3, 2 / 3)
    answer = await world.http.post(f"/api/runs/{run_id}/retry-failed")
    assert answer.status_code == 202
    await world.until_status(run_id, "FINISHED")
    assert asked.count("task-0") == 2


async def test_a_judge_whose_key_is_wrong_leaves_the_answers(world: World) -> None:
    async def judge(_: JudgeAnswer) -> Verdict:
        return Errored(failure=Rejected(message="401: the key is wrong", http_status=401, cause="unauthorized"))

    world.judge = judge
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "failed"
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 0, "failed": 3}
    assert {item["failure"]["phase"] for item in await world.items(run_id)} == {"JUDGING"}


async def test_without_its_database_the_service_says_so_and_goes_on(world: World, postgres_url: str) -> None:
    server, _, name = postgres_url.rpartition("/")
    connection = await asyncpg.connect(f"{server}/postgres")
    try:
        await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
        for path in ("/api/runs", f"/api/runs/{UUID(int=1)}"):
            refused = await world.http.get(path)
            assert (refused.status_code, refused.json()["title"]) == (503, "Database unavailable")
        await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    finally:
        await connection.close()
    await world.until_status(await world.start(), "FINISHED")
