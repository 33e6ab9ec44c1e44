"""Test how a run continues when calls to a provider or a judge fail."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

import asyncpg
import pytest
from run_world import World, answered, open_world, scored

from llmbench.contracts.answer_scored import Errored, Replies, Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Malformed, Outcome, RateLimited, Refused, Rejected, Unavailable
from orchestrator.runs.domain.retry import BROKEN_WARM_UP_ATTEMPTS


async def log_of(world: World, run_id: UUID) -> list[str]:
    return [line["text"] for line in await world.events(run_id, "llmbench.run.logged.v1")]


def failing_first(
    count: int, failure: Outcome, purpose: Purpose = Purpose.ITEM
) -> Callable[[GenerateCompletion], Awaitable[Outcome]]:
    """Return an answering function that fails the first `count` calls of `purpose`."""
    left = count

    async def answer(command: GenerateCompletion) -> Outcome:
        nonlocal left
        if command.purpose == purpose and left:
            left -= 1
            return failure
        return answered()

    return answer


async def test_malformed_answer_is_requested_again_with_a_new_call_id(world: World) -> None:
    world.answer = failing_first(1, Malformed(message="no choices"))
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert sorted(item["attempts"] for item in await world.items(run_id)) == [1, 1, 2]
    calls = world.calls()
    assert len({call.call_id for call in calls}) == len(calls) == 4


async def test_item_fails_after_its_attempts_and_the_run_ends_partial(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return Malformed(message="no choices") if "What is 1" in command.request.messages[-1].content else answered()

    world.answer = answer
    run_id = await world.start(max_attempts=2)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "partial"
    assert run["counts"] == {"items": 3, "answered": 2, "judged": 2, "failed": 1, "skipped": 0}
    failed = next(item for item in await world.items(run_id) if item["status"] == "FAILED")
    assert failed["failure"] == {
        "phase": "BENCHMARKING",
        "kind": "malformed",
        "message": "no choices",
        "retryable": True,
        "cause": "malformed",
    }
    assert failed["attempts"] == 2


async def test_rate_limit_slows_the_group_down_and_uses_no_attempt(world: World) -> None:
    world.answer = failing_first(2, RateLimited(message="429 Too Many Requests", retry_after_s=0.3))
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    progress = [
        event["current"] for event in await world.events(run_id, "llmbench.run.progressed.v1") if event["current"]
    ]
    assert {current["backoff_reason"] for current in progress if current["backoff_until"]} == {"429 Too Many Requests"}
    assert {item["attempts"] for item in await world.items(run_id)} == {1}


async def test_wrong_key_fails_its_group_at_once_and_the_next_group_continues(world: World) -> None:
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


async def test_failed_warm_up_fails_its_group_with_the_reason(world: World) -> None:
    broken = Unavailable(message="500: the model cannot be loaded", retry_after_s=0, cause="server_error")
    world.answer = failing_first(BROKEN_WARM_UP_ATTEMPTS, broken, Purpose.WARM_UP)
    run_id = await world.start("model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "partial"
    assert run["groups"][0]["failure_reason"] == broken.message
    failed = (await world.items(run_id))[0]["failure"]
    assert (failed["kind"], failed["message"]) == ("group_failed", broken.message)


@pytest.mark.parametrize("model", ["model-a", "judge"])
async def test_model_that_is_being_loaded_is_waited_for_and_logged(world: World, model: str) -> None:
    left = 5

    async def answer(command: GenerateCompletion) -> Outcome:
        nonlocal left
        if command.purpose == Purpose.WARM_UP and command.request.model == model and left:
            left -= 1
            return Unavailable(message="503: Loading model", retry_after_s=0.05)
        return answered()

    world.answer = answer
    run_id = await world.start(max_backoff_s=600)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert len([call for call in world.calls(Purpose.WARM_UP) if call.request.model == model]) == 6
    waits = [line for line in await log_of(world, run_id) if "for up to 600 s" in line]
    assert waits == [f"waiting for {model} on Mock for up to 600 s, until it answers a warm-up"]
    progress = [
        event["current"] for event in await world.events(run_id, "llmbench.run.progressed.v1") if event["current"]
    ]
    waiting = {current["group_status"] for current in progress if current["backoff_reason"] == "503: Loading model"}
    assert waiting == {"WARMING_UP"}


async def test_model_that_never_loads_fails_its_group_after_the_maximum_backoff(world: World) -> None:
    world.answer = failing_first(10_000, Unavailable(message="connection refused", retry_after_s=0.2), Purpose.WARM_UP)
    run_id = await world.start(max_backoff_s=1)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "failed"
    assert "connection refused (waited " in run["groups"][0]["failure_reason"]


BREAKS = Unavailable(message="500 Internal Server Error", retry_after_s=0, cause="server_error")
BAD_GATEWAY = Unavailable(message="502 Bad Gateway", retry_after_s=0)


def failing_on(bad: set[str], failure: Outcome) -> Callable[[GenerateCompletion], Awaitable[Outcome]]:
    """Return an answering function that fails every prompt which contains one of these texts."""

    async def answer(command: GenerateCompletion) -> Outcome:
        prompt = command.request.messages[-1].content
        return failure if command.purpose == Purpose.ITEM and any(part in prompt for part in bad) else answered()

    return answer


@pytest.mark.parametrize("failure", [BREAKS, BAD_GATEWAY], ids=["breaks", "finds nobody"])
@pytest.mark.parametrize("bad", [{"What is 0"}, {"What is 0", "What is 1"}], ids=["one prompt", "two prompts"])
@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.shows("I-09")
async def test_prompt_that_always_fails_uses_its_attempts_and_the_others_are_answered(
    world: World, failure: Unavailable, bad: set[str], concurrency: int
) -> None:
    world.answer = failing_on(bad, failure)
    run_id = await world.start(concurrency=concurrency)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "partial"
    items = await world.items(run_id)
    assert [item["status"] for item in items].count("COMPLETED") == 3 - len(bad)
    failed = [item for item in items if item["status"] == "FAILED"]
    assert {(item["attempts"], item["failure"]["kind"], item["failure"]["retryable"]) for item in failed} == {
        (3, "unavailable", True)
    }


async def until_alone(world: World, run_id: UUID) -> None:
    """Wait until only one item has no answer. Before that, its next call could be sent while a call of another item is
    in flight."""
    async with asyncio.timeout(240):
        while [item["status"] for item in await world.items(run_id)].count("WAITING_FOR_JUDGE") < 2:
            await asyncio.sleep(0.02)


async def test_failing_prompt_is_asked_again_after_the_others(world: World) -> None:
    fails = failing_on({"What is 0"}, BREAKS)
    asked = 0

    async def answer(command: GenerateCompletion) -> Outcome:
        nonlocal asked
        if command.purpose == Purpose.ITEM and "What is 0" in command.request.messages[-1].content:
            asked += 1
            if asked == 2:
                await until_alone(world, command.run_id)
        return await fails(command)

    world.answer = answer
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    prompts = [call.request.messages[-1].content for call in world.calls()]
    assert [("What is 0" in prompt) for prompt in prompts] == [True, False, False, True, True]
    assert not [line for line in await log_of(world, run_id) if "backing off" in line]
    warmed_up = [call.request.model for call in world.calls(Purpose.WARM_UP)]
    assert warmed_up == ["model-a", "model-a", "judge"], "checked when no other prompt was left to ask"


@pytest.mark.parametrize("failure", [BREAKS, BAD_GATEWAY], ids=["breaks", "finds nobody"])
async def test_only_prompt_of_a_run_fails_after_its_attempts(
    postgres_url: str, nats_url: str, failure: Unavailable
) -> None:
    async with open_world(postgres_url, nats_url, tasks=1) as world:
        world.answer = failing_on({"What is"}, failure)
        run_id = await world.start(max_attempts=2)
        run = await world.until_status(run_id, "FINISHED")
        assert run["outcome"] == "failed"
        assert run["groups"][0]["failure_reason"] is None
        assert [item["failure"]["kind"] for item in await world.items(run_id)] == ["unavailable"]


@pytest.mark.parametrize("before", [1, 3], ids=["at the first", "at the last"])
@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.shows("I-09")
async def test_burst_of_failed_calls_is_waited_out(world: World, before: int, concurrency: int) -> None:
    """The run completes every item. The first failed call uses up an attempt of its item. A further failed call does so
    only if an answer arrived in between."""
    left = 7

    async def answer(_: GenerateCompletion) -> Outcome:
        nonlocal left
        if len(world.calls()) >= before and left:
            left -= 1
            return BREAKS
        return answered()

    world.answer = answer
    run_id = await world.start(concurrency=concurrency)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert left == 0
    assert run["groups"][0]["backoff_reason"] is None


NO_CREDIT = RateLimited(message="429: insufficient_quota.", out_of_credit=True)


@pytest.mark.shows("I-10")
async def test_model_without_credit_waits_while_others_finish_and_a_resume_repeats_no_paid_call(
    world: World,
) -> None:
    filled_up = False

    async def answer(command: GenerateCompletion) -> Outcome:
        broke = command.request.model == "model-a" and "What is 0" not in command.request.messages[-1].content
        return NO_CREDIT if command.purpose == Purpose.ITEM and broke and not filled_up else answered()

    world.answer = answer
    run_id = await world.start("model-a", "model-b")
    paused = await world.until_status(run_id, "PAUSED")
    assert paused["status_reason"] == (
        "model-a on Mock is out of credit: 429: insufficient_quota. Fill the account up, then resume the run."
    )
    first, second = paused["groups"][:2]
    assert (first["status"], first["done"], first["out_of_credit_reason"]) == ("WAITING", 1, NO_CREDIT.message)
    assert (second["status"], second["done"]) == ("CLOSED", 3)
    # The account still lacks credit, so the run pauses again after one or two calls.
    assert (await world.http.post(f"/api/runs/{run_id}/resume")).status_code == 202
    await world.until(run_id, lambda run: run["status"] == "PAUSED" and run["groups"][0]["out_of_credit_reason"])
    filled_up = True
    assert (await world.http.post(f"/api/runs/{run_id}/resume")).status_code == 202
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert {item["attempts"] for item in await world.items(run_id)} == {1}
    assert len([call for call in world.calls() if call.request.model == "model-b"]) == 3
    assert len([call for call in world.calls() if "What is 0" in call.request.messages[-1].content]) == 2


async def test_judge_without_credit_pauses_the_run_and_keeps_its_answers(world: World) -> None:
    filled_up = False

    async def judge(_: JudgeAnswer) -> Verdict:
        return scored() if filled_up else Errored(failure=NO_CREDIT)

    world.judge = judge
    run_id = await world.start()
    paused = await world.until_status(run_id, "PAUSED")
    assert (paused["phase"], paused["counts"]["answered"]) == ("JUDGING", 3)
    assert "judge on Mock is out of credit" in paused["status_reason"]
    filled_up = True
    assert (await world.http.post(f"/api/runs/{run_id}/resume")).status_code == 202
    assert (await world.until_status(run_id, "FINISHED"))["outcome"] == "complete"
    assert len(world.calls()) == 3, "no target was asked again"


async def test_answer_that_fails_every_judge_call_uses_its_attempts(world: World) -> None:
    async def judge(command: JudgeAnswer) -> Verdict:
        return Errored(failure=BREAKS) if command.case.task_id == "task-1" else scored()

    world.judge = judge
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 2, "failed": 1, "skipped": 0}
    failed = next(item for item in await world.items(run_id) if item["status"] == "FAILED")
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{failed['id']}")).json()
    assert [(score["outcome"], score["attempts"]) for score in detail["scores"]] == [("errored", 3)]


async def test_retried_prompts_have_all_their_attempts_again(world: World) -> None:
    world.answer = failing_on({"What is 0"}, BREAKS)
    run_id = await world.start(max_attempts=1)
    await world.until_status(run_id, "FINISHED")
    world.answer = failing_first(1, BREAKS)
    assert (await world.http.post(f"/api/runs/{run_id}/retry-failed")).status_code == 202
    await world.until_status(run_id, "FINISHED")
    world.answer = failing_first(0, BREAKS)
    assert (await world.http.post(f"/api/runs/{run_id}/retry-failed")).status_code == 202
    assert (await world.until_status(run_id, "FINISHED"))["outcome"] == "complete"


async def test_unreachable_provider_fails_its_group_after_the_maximum_backoff(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM:
            return Unavailable(message="connection refused", retry_after_s=0.2)
        return answered()

    world.answer = answer
    run_id = await world.start(max_backoff_s=1)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "failed"
    assert "in vain" in run["groups"][0]["failure_reason"]
    # No item has an answer to judge, so the judge's model is not warmed up.
    assert {call.request.model for call in world.calls(Purpose.WARM_UP)} == {"model-a"}


async def test_refusal_fails_only_its_item(world: World) -> None:
    world.answer = failing_first(1, Refused(message="content filter"))
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"] == {"items": 3, "answered": 2, "judged": 2, "failed": 1, "skipped": 0}


@pytest.mark.shows("I-14")
async def test_unreadable_verdict_is_unparsed_at_once_and_never_zero(world: World) -> None:
    """The score becomes UNPARSED at the first attempt, and has no value. The judge service has already asked its model
    a second time, so only the user may decide to score the answer again."""
    prompts: list[str] = []

    async def judge(command: JudgeAnswer) -> Verdict:
        prompts.append(command.case.task_id)
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
    assert prompts.count("task-0") == 1
    (rubric,) = run["evaluators"]
    assert (rubric["judging"]["asked"], rubric["judging"]["parse_rate"]) == (3, 2 / 3)
    answer = await world.http.post(f"/api/runs/{run_id}/retry-failed")
    assert answer.status_code == 202
    await world.until_status(run_id, "FINISHED")
    assert prompts.count("task-0") == 2


async def test_judge_with_a_wrong_key_fails_the_scores_and_keeps_the_answers(world: World) -> None:
    async def judge(_: JudgeAnswer) -> Verdict:
        return Errored(failure=Rejected(message="401: the key is wrong", http_status=401, cause="unauthorized"))

    world.judge = judge
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "failed"
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 0, "failed": 3, "skipped": 0}
    assert {item["failure"]["phase"] for item in await world.items(run_id)} == {"JUDGING"}


async def test_service_without_its_database_answers_503_and_recovers(world: World, postgres_url: str) -> None:
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
