"""Test that the database can replace everything on NATS: lost messages are sent again, and no report counts twice."""

import asyncio
from uuid import UUID

import pytest
from run_world import PATIENCE_S, World, answered, open_world, running_orchestrator, scored
from sqlalchemy.exc import DBAPIError

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import NotStarted, Outcome, TimedOut
from llmbench.contracts.run_state import RunGate
from llmbench.ids import new_id
from llmbench.messaging.streams import COMMANDS, ensure_lane, lane_durable, lane_tokens, run_state_bucket
from orchestrator.runs.adapters.step_statements import locking_run

pytestmark = pytest.mark.never_rerun


async def test_lost_commands_are_sent_again_with_the_same_call_ids(world: World) -> None:
    lost: set[UUID] = set()

    async def answer(command: GenerateCompletion) -> Outcome | None:
        if command.purpose == Purpose.ITEM and command.call_id not in lost:
            lost.add(command.call_id)
            return None
        return answered()

    world.answer = answer
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"
    assert {call.call_id for call in world.calls()} == lost
    assert len(lost) == 3
    assert {item["attempts"] for item in await world.items(run_id)} == {1}


async def test_lost_warm_up_and_lost_judge_command_are_sent_again(world: World) -> None:
    seen: set[str] = set()

    async def answer(command: GenerateCompletion) -> Outcome | None:
        if command.purpose == Purpose.WARM_UP and command.request.model not in seen:
            seen.add(command.request.model)
            return None
        return answered()

    dropped = asyncio.Event()

    async def judge(command: JudgeAnswer) -> object:
        if command.case.task_id == "task-1" and not dropped.is_set():
            dropped.set()
            return None
        return scored()

    world.answer, world.judge = answer, judge  # type: ignore[assignment]
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"


@pytest.mark.shows("I-08")
async def test_duplicates_and_stale_failures_change_nothing(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM:
            await world.finish_call(command, answered("first"))
            await world.finish_call(command, answered("first"))
            return TimedOut(message="too late")
        return answered()

    world.answer = answer
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 3, "failed": 0, "skipped": 0}


@pytest.mark.shows("I-05")
async def test_run_completes_after_a_purge_of_the_streams(world: World) -> None:
    purged = asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome | None:
        if command.purpose == Purpose.ITEM and not purged.is_set():
            await world.js.purge_stream("COMMANDS")
            await world.js.purge_stream("EVENTS")
            await world.js.purge_stream("REPORTS")
            purged.set()
            return None
        return answered()

    world.answer = answer
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"


@pytest.mark.shows("I-05")
async def test_run_that_is_pausing_while_nats_loses_its_lanes_is_paused_and_resumes(world: World) -> None:
    """A call in flight is reported as not started, which needs the lane of its group although the gate is closed."""
    begun, lost = asyncio.Event(), asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome | None:
        if command.purpose != Purpose.ITEM:
            return answered()
        if lost.is_set():
            run = await world.http.get(f"/api/runs/{command.run_id}")
            return answered() if run.json()["status"] == "RUNNING" else NotStarted()
        if begun.is_set():
            return None
        begun.set()
        await world.http.post(f"/api/runs/{command.run_id}/pause")
        for token in await lane_tokens(world.js):
            await world.js.delete_consumer(COMMANDS, lane_durable(token))
        await world.js.purge_stream(COMMANDS)
        lost.set()
        return None

    world.answer = answer
    run_id = await world.start()
    await world.until_status(run_id, "PAUSED")
    await world.http.post(f"/api/runs/{run_id}/resume")
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "complete"


@pytest.mark.shows("I-15", "R-05")
async def test_messages_of_a_finished_run_are_cleared_from_nats(world: World) -> None:
    """The judge service sends a command again if it gets no answer. After the run's end, no consumer receives such a
    command."""
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    bucket = await run_state_bucket(world.js)
    async with asyncio.timeout(PATIENCE_S):
        while (await bucket.get(str(run_id))).value != RunGate.CLOSED.encode():
            await asyncio.sleep(0.02)
    await ensure_lane(world.js, "left-over", concurrency=1)
    await world.js.publish(f"cmd.infer.left-over.{run_id}", b"{}")
    # This message belongs to no run, so it must stay.
    await world.js.publish("cmd.infer.left-over.of-a-person", b"{}")
    async with asyncio.timeout(PATIENCE_S):
        while (await world.js.stream_info(COMMANDS)).state.messages > 1 or "left-over" in await lane_tokens(world.js):
            await asyncio.sleep(0.02)


async def test_another_orchestrator_finishes_an_interrupted_run(postgres_url: str, nats_url: str) -> None:
    held = asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome | None:
        return None if command.purpose == Purpose.ITEM and not held.is_set() else answered()

    async with open_world(postgres_url, nats_url) as world:
        world.answer = answer
        run_id = await world.start()
        await world.until(run_id, lambda run: len(world.calls()) >= 1)
    async with running_orchestrator(postgres_url, nats_url), open_world(postgres_url, nats_url, seeded=True) as world:
        held.set()
        world.answer = answer
        run = await world.until_status(run_id, "FINISHED")
        assert run["outcome"] == "complete"
        statuses = [event["status"] for event in await world.events(run_id, "llmbench.run.status_changed.v1")]
        assert statuses == ["RUNNING", "RUNNING", "FINISHED"]


async def test_paid_answer_can_be_stored_while_its_run_is_locked(world: World) -> None:
    """The row of the answer refers to a run that the store's method `lead` has locked. The lock does not block this
    insert, but does block a second call of `lead`."""
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    another = world.calls()[0].model_copy(update={"call_id": new_id()})
    nowait = locking_run().with_for_update(nowait=True, key_share=True)
    async with world.engine.begin() as leading:
        await leading.execute(locking_run(), {"of_run": run_id})
        async with asyncio.timeout(PATIENCE_S):
            await world.finish_call(another, answered())
        async with world.engine.connect() as second:
            with pytest.raises(DBAPIError, match="could not obtain lock"):
                await second.execute(nowait, {"of_run": run_id})
