"""Test the lane of a model group, its queue of commands. A lane makes one call at a time, and each call is paid once,
however often its command is sent."""

import pytest
from gateway_world import World

from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.outcome import Answered, NotStarted, Released
from llmbench.contracts.run_state import RunGate

pytestmark = pytest.mark.never_rerun


async def test_call_is_answered_measured_and_stored(world: World) -> None:
    command = world.command("mock-50ms")
    async with world.gateway():
        event = await world.ask(command)
    outcome = event.outcome
    assert isinstance(outcome, Answered)
    assert (event.item_id, event.dispatch, event.purpose) == (command.item_id, 1, Purpose.ITEM)
    assert event.prompt_preview == "What is 17 + 25?"
    assert not event.from_memory
    assert outcome.usage.source == "reported"
    assert outcome.finish_reason == "stop"
    timings = outcome.timings
    assert timings.first_token_ms is not None
    assert 20 <= timings.first_token_ms <= timings.total_ms
    assert timings.total_ms >= 45
    [row] = await world.rows()
    assert row["id"] == command.call_id
    assert row["content"] == outcome.preview
    assert row["model"] == "mock-50ms"
    assert len(row["request_hash"]) == 64
    [call] = await world.ledger()
    assert call["call_id"] == str(command.call_id)


@pytest.mark.shows("I-02")
async def test_calls_of_a_group_run_one_at_a_time_and_in_order(world: World) -> None:
    commands = [world.command("mock-20ms-order") for _ in range(12)]
    async with world.gateway():
        await world.open_lane(commands[0].group)
        await world.send(*commands)
        for command in commands:
            await world.finished(command.call_id)
    assert (await world.stats())["max_concurrent"] == 1
    assert [row["call_id"] for row in await world.ledger()] == [str(command.call_id) for command in commands]


async def test_concurrency_follows_the_lane_also_when_it_is_raised(world: World) -> None:
    model = "mock-0ms-wide"
    async with world.gateway():
        calls_before = 0
        for concurrency in (3, 6):
            commands = [world.command(model, concurrency=concurrency) for _ in range(9)]
            await world.control(model=model, hold=0)
            await world.open_lane(commands[0].group, concurrency=concurrency)
            await world.send(*commands)
            await world.until_calls(calls_before + concurrency)
            await world.control(model=model, hold=None)
            for command in commands:
                await world.finished(command.call_id)
            calls_before += len(commands)
            assert (await world.stats())["max_concurrent"] == concurrency


async def test_concurrency_never_exceeds_the_lanes_limit(world: World) -> None:
    commands = [world.command("mock-20ms-narrow", concurrency=3) for _ in range(12)]
    async with world.gateway():
        await world.open_lane(commands[0].group, concurrency=3)
        await world.send(*commands)
        for command in commands:
            await world.finished(command.call_id)
    assert (await world.stats())["max_concurrent"] <= 3


async def test_groups_do_not_wait_for_each_other(world: World) -> None:
    slow, quick = world.command("mock-0ms-held"), world.command("mock-0ms")
    await world.control(model="mock-0ms-held", hold=0)
    async with world.gateway():
        for command in (slow, quick):
            await world.open_lane(command.group)
            await world.send(command)
        await world.finished(quick.call_id)
        assert not world.events_of(slow.call_id)
        await world.control(model="mock-0ms-held", hold=None)
        await world.finished(slow.call_id)


@pytest.mark.shows("I-01")
async def test_repeated_command_is_answered_from_memory(world: World) -> None:
    command = world.command()
    async with world.gateway():
        first = await world.ask(command)
        await world.send(command)
        second = await world.finished(command.call_id, number=2)
        await world.nothing_pending(command.group)
    assert second.from_memory
    assert second.outcome == first.outcome
    assert abs(second.finished_at - first.finished_at).total_seconds() < 0.01
    assert len(await world.ledger()) == 1


@pytest.mark.shows("I-01", "R-02")
async def test_command_sent_several_times_at_once_is_paid_for_once(world: World) -> None:
    command = world.command("mock-300ms-twice", concurrency=4)
    async with world.gateway(), world.gateway():
        await world.open_lane(command.group, concurrency=4)
        await world.send(*[command] * 4)
        events = [await world.finished(command.call_id, number=number) for number in range(1, 5)]
        await world.nothing_pending(command.group)
    assert sorted(event.from_memory for event in events) == [False, True, True, True]
    assert len(await world.ledger()) == 1


@pytest.mark.shows("I-02", "R-03")
async def test_two_gateways_on_one_lane_never_overlap(world: World) -> None:
    commands = [world.command("mock-30ms-shared") for _ in range(30)]
    async with world.gateway(), world.gateway():
        await world.open_lane(commands[0].group)
        await world.send(*commands, *commands)
        for command in commands:
            await world.finished(command.call_id, number=2)
    stats = await world.stats()
    assert (stats["max_concurrent"], stats["calls"], stats["answered_twice"]) == (1, 30, [])


@pytest.mark.shows("I-11")
async def test_closed_gate_lets_no_call_start(world: World) -> None:
    command = world.command()
    await world.gate(RunGate.CLOSED)
    async with world.gateway():
        event = await world.ask(command)
        assert isinstance(event.outcome, NotStarted)
        await world.nothing_pending(command.group)
        assert not await world.ledger()
        assert not await world.rows()
        # Once the gate is open, the same call is made.
        await world.gate(RunGate.OPEN)
        await world.send(command)
        assert isinstance((await world.finished(command.call_id, number=2)).outcome, Answered)


async def test_call_in_flight_may_end_when_the_gate_closes(world: World) -> None:
    model = "mock-0ms-gate"
    running, waiting = world.command(model), world.command(model)
    await world.control(model=model, hold=0)
    async with world.gateway():
        await world.open_lane(running.group)
        await world.send(running, waiting)
        await world.until_calls(1)
        await world.gate_is_seen(RunGate.CLOSED)
        await world.control(model=model, hold=None)
        assert isinstance((await world.finished(running.call_id)).outcome, Answered)
        assert isinstance((await world.finished(waiting.call_id)).outcome, NotStarted)
    assert [call["call_id"] for call in await world.ledger() if call["model"] == model] == [str(running.call_id)]


async def test_aborted_run_stops_its_own_calls_only(world: World) -> None:
    other_run = await world.add_run()
    doomed = world.command("mock-hang")
    other = world.command("mock-0ms-other", run_id=other_run)
    await world.control(model="mock-0ms-other", hold=0)
    async with world.gateway():
        for command in (doomed, other):
            await world.open_lane(command.group)
            await world.send(command)
        await world.until_calls(2)
        await world.gate(RunGate.ABORTED)
        await world.nothing_pending(doomed.group)
        await world.control(model="mock-0ms-other", hold=None)
        assert isinstance((await world.finished(other.call_id)).outcome, Answered)
        assert not world.events_of(doomed.call_id)
    assert [row["id"] for row in await world.rows()] == [other.call_id]


async def test_call_of_a_deleted_run_is_not_made(world: World) -> None:
    gone = world.command(run_id=await world.add_run())
    await world.db.execute("DELETE FROM run WHERE id = $1", gone.run_id)
    async with world.gateway():
        await world.open_lane(gone.group)
        await world.send(gone)
        await world.nothing_pending(gone.group)
    assert not await world.ledger()


async def test_unreadable_command_is_discarded_and_the_next_one_works(world: World) -> None:
    command = world.command()
    async with world.gateway():
        await world.open_lane(command.group)
        subject = command.subject()
        await world.js.publish(subject, b"\xff not json", headers={"content-type": "application/json"})
        await world.js.publish(subject, b'{"type": "llmbench.infer.generate_completion.v1"}')
        await world.js.publish(subject, b'{"type": "llmbench.run.logged.v1"}')
        await world.send(command)
        await world.finished(command.call_id)
        await world.nothing_pending(command.group)


async def test_release_unloads_the_model_if_the_provider_supports_it(world: World) -> None:
    ollama = await world.add_provider(type_="OLLAMA")
    unloading, unable = world.release("mock-0ms", ollama), world.release("mock-0ms", world.provider)
    unknown = world.release("nobody", ollama)
    async with world.gateway():
        event = await world.ask(unloading)
        assert (event.purpose, event.outcome) == (Purpose.RELEASE, Released(unloaded=True))
        assert (await world.ask(unable)).outcome == Released(unloaded=False)
        assert (await world.ask(unknown)).outcome.kind == "rejected"
    assert [row["kind"] for row in await world.ledger()] == ["unload", "unload"]
    assert [row["purpose"] for row in await world.rows()] == ["release"] * 3
