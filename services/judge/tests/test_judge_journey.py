"""Test the judge with a real broker: from the command to the verdict, through failures of every kind."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from judge_world import GOOD, TIMEOUT_S, World, answered, command, running_judge, until
from nats.js.errors import NotFoundError

from llmbench.contracts.answer_scored import Errored, JudgeRefused, Replies, Scored, Unparsed
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import NotStarted, Outcome, RateLimited, Refused, Rejected
from llmbench.contracts.run_state import RunGate
from llmbench.ids import call_id
from llmbench.messaging.streams import COMMANDS, EVENTS, REPORTS
from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server

pytestmark = pytest.mark.never_rerun


@pytest.fixture
async def world(nats_url: str) -> AsyncIterator[World]:
    async with World(nats_url) as world:
        yield world


async def test_answer_is_scored_and_its_command_acknowledged(world: World) -> None:
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        scored = await world.verdict(task)
        await world.nothing_pending()
    assert isinstance(scored.verdict, Scored)
    assert (scored.verdict.raw, scored.verdict.normalised, scored.verdict.passed) == (10, 1, True)
    assert scored.verdict.reason == "The sum is right."
    [call] = world.received
    assert scored.call_ids == (call.call_id,)
    assert call.call_id == call_id(task.score_id, dispatch=task.dispatch, part="verdict.1")
    assert call.purpose is Purpose.SCORE
    assert (call.group, call.group_id, call.timeout_s) == (task.lane.group, task.lane.group_id, task.lane.timeout_s)
    assert call.request.response_schema is not None


async def test_many_answers_are_scored_concurrently(world: World) -> None:
    tasks = [command() for _ in range(40)]
    async with running_judge(world.url, max_pending=8):
        for task in tasks:
            await world.judge(task)
        await until(lambda: len(world.scored) == len(tasks))
        await world.nothing_pending()
    assert {scored.score_id for scored in world.scored} == {task.score_id for task in tasks}
    assert len(world.paid) == len(set(world.paid)) == len(tasks)


async def test_unreadable_reply_causes_one_repair_call(world: World) -> None:
    world.script = _first_then("I would say 11 out of 10!", GOOD)
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        scored = await world.verdict(task)
    assert isinstance(scored.verdict, Scored)
    assert scored.verdict.details["repaired"] is True
    assert list(scored.call_ids) == world.paid
    assert len(world.paid) == 2


async def test_reply_that_stays_unreadable_is_unparsed(world: World) -> None:
    world.script = lambda _: answered('{"reason": "It goes on and', finish_reason="length")
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        scored = await world.verdict(task)
    assert scored.verdict == Unparsed(
        problem="The verdict was cut by the token limit.",
        raw_text='{"reason": "It goes on and',
        replies=Replies(asked=1),
    )
    assert len(world.received) == 2, "the verdict, and its one repair"


async def test_empty_answer_is_scored_without_a_call(world: World) -> None:
    task = command(answer=" \n")
    async with running_judge(world.url):
        await world.judge(task)
        scored = await world.verdict(task)
    assert isinstance(scored.verdict, Scored)
    assert (scored.verdict.raw, scored.verdict.passed) == (0, False)
    assert not world.received


async def test_long_reply_is_fetched_completely(world: World) -> None:
    world.script = lambda _: "Let me think. " * 1000 + GOOD
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        scored = await world.verdict(task)
    assert isinstance(scored.verdict, Scored)
    assert len(world.received) == 1


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Refused(message="I must not."), JudgeRefused(message="I must not.")),
        (
            RateLimited(message="429", retry_after_s=20),
            Errored(failure=RateLimited(message="429", retry_after_s=20)),
        ),
        (
            Rejected(message="no such model", http_status=404, cause="not_found"),
            Errored(failure=Rejected(message="no such model", http_status=404, cause="not_found")),
        ),
    ],
)
async def test_failed_call_is_reported_unchanged(
    world: World, outcome: Outcome, verdict: Errored | JudgeRefused
) -> None:
    world.script = lambda _: outcome
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        assert (await world.verdict(task)).verdict == verdict


async def test_unknown_evaluator_is_named(world: World) -> None:
    task = command(evaluator={"revision_id": command().score_id, "kind": "astrology"})
    async with running_judge(world.url):
        await world.judge(task)
        scored = await world.verdict(task)
    assert isinstance(scored.verdict, Errored)
    assert "'astrology'" in scored.verdict.failure.message  # type: ignore[union-attr]


async def test_unreadable_command_is_dropped_and_the_next_one_scored(world: World) -> None:
    task = command()
    async with running_judge(world.url):
        await world.js.publish(task.subject(), b'{"type": "llmbench.judge.judge_answer.v1"}')
        await world.js.publish(task.subject(), b"\xff not json")
        await world.judge(task)
        await world.verdict(task)
        await world.nothing_pending()
    assert (await world.js.stream_info(COMMANDS)).state.messages == 0


async def test_gate_closed_between_two_calls_stops_there_and_the_resume_reuses_the_first(world: World) -> None:
    world.script = lambda _: None
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        await until(lambda: len(world.received) == 1)
        await world.gate_is_seen(task, RunGate.CLOSED)
        world.script = lambda _: GOOD
        await world.finish(world.received[0], answered("no verdict"))
        assert (await world.verdict(task)).verdict == Errored(failure=NotStarted())
        assert len(world.calls_of(task)) == 1

        world.scored.clear()
        await world.gate_is_seen(task, RunGate.OPEN)
        await world.judge(task)
        scored = await world.verdict(task)
    assert isinstance(scored.verdict, Scored)
    asked = {call.call_id for call in world.calls_of(task)}
    assert list(scored.call_ids) == [paid for paid in world.paid if paid in asked]
    assert len(scored.call_ids) == 2


async def test_call_in_flight_when_the_gate_closes_still_counts(world: World) -> None:
    world.script = lambda _: None
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        await until(lambda: len(world.received) == 1)
        await world.gate_is_seen(task, RunGate.CLOSED)
        await world.finish(world.received[0], answered(GOOD))
        assert isinstance((await world.verdict(task)).verdict, Scored)


@pytest.mark.parametrize("gate", [RunGate.CLOSED, RunGate.ABORTED])
async def test_command_of_a_closed_run_is_reported_not_started_without_a_call(world: World, gate: RunGate) -> None:
    task, other = command(), command()
    await world.gate(task, gate)
    async with running_judge(world.url):
        await world.judge(task)
        await world.judge(other)
        await world.verdict(other)
        await world.nothing_pending()
        assert (await world.verdict(task)).verdict == Errored(failure=NotStarted())
    assert {call.score_id for call in world.received} == {other.score_id}


async def test_command_of_an_aborted_run_is_reported_at_once(world: World) -> None:
    world.script = lambda _: None
    task = command()
    async with running_judge(world.url):
        await world.judge(task)
        await until(lambda: len(world.received) == 1)
        await world.gate(task, RunGate.ABORTED)
        assert (await world.verdict(task)).verdict == Errored(failure=NotStarted())


async def test_call_that_the_gateway_did_not_start_is_repeated(world: World) -> None:
    task = command()
    refusals = iter([NotStarted()])
    world.script = lambda _: next(refusals, GOOD)
    async with running_judge(world.url):
        await world.judge(task)
        assert isinstance((await world.verdict(task)).verdict, Scored)
    assert len(world.received) == 2


async def test_unanswered_call_is_sent_again_with_the_same_id(world: World) -> None:
    world.script = lambda _: None
    task = command()
    async with running_judge(world.url, patience_s=0.2):
        await world.judge(task)
        await until(lambda: len(world.received) >= 2)
        world.script = lambda _: GOOD
        await world.verdict(task)
    assert len({call.call_id for call in world.received}) == 1


@pytest.mark.parametrize("store_survives", [True, False])
async def test_call_lost_by_the_broker_is_sent_again(tmp_path: Path, *, store_survives: bool) -> None:
    port = free_port()
    task, later = command(), command()
    async with nats_server(tmp_path / "first", port=port) as url:
        world = await World(url, script=lambda _: None).__aenter__()
        judge = running_judge(url)
        await judge.__aenter__()
        await world.judge(task)
        await until(lambda: len(world.received) == 1)
    world.script = lambda _: GOOD
    async with nats_server(tmp_path / ("first" if store_survives else "second"), port=port):
        await world.verdict(task)
        await world.judge(later)
        await world.verdict(later)
        await world.nothing_pending()
        await judge.__aexit__(None, None, None)
        await world.__aexit__()
    assert len({call.call_id for call in world.received}) == 2


async def test_deleted_consumer_or_stream_is_created_again(world: World) -> None:
    first, second, third = command(), command(), command()
    async with running_judge(world.url):
        await world.judge(first)
        await world.verdict(first)
        await world.js.delete_consumer(COMMANDS, "judge")
        await world.judge(second)
        await world.verdict(second)
        await world.js.delete_stream(COMMANDS)
        await world.js.delete_stream(EVENTS)
        await world.js.delete_stream(REPORTS)
        await world.js.delete_stream("KV_run_state")
        await _until_streams_are_back(world)
        await world.judge(third)
        await world.verdict(third)


async def test_killed_judge_repeats_the_same_calls_after_its_restart(world: World) -> None:
    world.script = lambda call: None if len(call.request.messages) > 2 else "no verdict"
    task = command()
    await world.judge(task)
    environment = {"LLMBENCH_NATS_URL": world.url, "LLMBENCH_JUDGE_PORT": str(free_port())}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "judge", env={**os.environ, **environment})
    await until(lambda: len(world.paid) == 2)
    process.kill()
    await process.wait()

    world.script = lambda _: GOOD
    async with running_judge(world.url):
        scored = await world.verdict(task)
    assert isinstance(scored.verdict, Scored)
    asked = [call.call_id for call in world.received]
    assert asked == [*scored.call_ids, *scored.call_ids]
    # The answer to the first step is stored, so it is paid once. The second step was in flight and never answered.
    assert world.paid == [asked[0], asked[1], asked[1]]


async def test_stopped_judge_hands_its_command_back_at_once(world: World) -> None:
    world.script = lambda _: None
    task = command()
    async with running_judge(world.url):
        await world.disable_redelivery_timeout()
        await world.judge(task)
        await until(lambda: len(world.received) == 1)
    commands = await world.js.pull_subscribe_bind("judge", stream=COMMANDS)
    [handed_back] = await commands.fetch(1, timeout=TIMEOUT_S)
    await handed_back.nak()
    world.script = lambda _: GOOD
    async with running_judge(world.url):
        assert isinstance((await world.verdict(task)).verdict, Scored)


async def test_judge_waits_for_an_unreachable_broker(tmp_path: Path) -> None:
    port, task = free_port(), command()
    async with (
        running_judge(f"nats://llmbench:only-for-tests@127.0.0.1:{port}"),
        nats_server(tmp_path, port=port) as url,
        World(url) as world,
    ):
        await world.judge(task)
        await world.verdict(task)


async def _until_streams_are_back(world: World) -> None:
    async with asyncio.timeout(90):
        for name in (COMMANDS, EVENTS, REPORTS, "KV_run_state"):
            while not await _exists(world, name):  # the broker announces no new stream
                await asyncio.sleep(0.05)


async def _exists(world: World, stream: str) -> bool:
    try:
        await world.js.stream_info(stream)
    except NotFoundError:
        return False
    return True


def _first_then(first: str, then: str) -> Callable[[GenerateCompletion], str]:
    replies = iter([first])
    return lambda _: next(replies, then)
