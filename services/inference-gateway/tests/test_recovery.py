"""Test recovery: processes are killed, suspended or disconnected during a call.

No call is lost, and no more calls run at once than allowed. A call is repeated only if its answer was not stored; then
it may be paid twice.
"""

import asyncio
import contextlib
import signal
from pathlib import Path

import asyncpg
import psutil
import pytest
from gateway_world import WAIT_S, World, open_world, until

from llmbench.contracts.outcome import Answered
from llmbench.messaging.streams import COMMANDS, delete_lane, ensure_streams, lane_durable
from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server

pytestmark = pytest.mark.never_rerun


async def test_call_of_a_killed_gateway_is_made_again_after_the_restart(world: World) -> None:
    model = "mock-0ms-killed"
    commands = [world.command(model) for _ in range(4)]
    await world.control(model=model, hold=1)
    await world.open_lane(commands[0].group)
    await world.send(*commands)
    async with world.gateway_process() as process:
        await world.finished(commands[0].call_id)
        await world.until_calls(2)
        process.kill()
        await process.wait()
    await world.until_disconnected(model)
    await world.control(model=model, hold=None)
    async with world.gateway_process():
        for command in commands:
            assert isinstance((await world.finished(command.call_id)).outcome, Answered)
        await world.nothing_pending(commands[0].group)
    calls = [row["call_id"] for row in await world.ledger()]
    assert calls.count(str(commands[1].call_id)) == 2, "the call that was cut off is made again"
    assert len(calls) == 5, "and no other"
    stats = await world.stats()
    assert stats["answered_twice"] == []
    assert len(await world.rows()) == 4


async def test_replica_continues_when_another_is_killed_or_suspended(world: World) -> None:
    commands = [world.command("mock-200ms-replica") for _ in range(12)]
    await world.open_lane(commands[0].group)
    async with world.gateway_process() as first, world.gateway_process() as second:
        await world.send(*commands)
        await world.finished(commands[2].call_id)
        # Suspend the process longer than the ack wait: NATS redelivers its command, but the lock stops `second`.
        first.send_signal(signal.SIGSTOP)
        await asyncio.sleep(8)
        first.send_signal(signal.SIGCONT)
        await world.finished(commands[5].call_id)
        second.kill()
        for command in commands:
            await world.finished(command.call_id)
        await world.nothing_pending(commands[0].group)
    stats = await world.stats()
    assert stats["max_concurrent"] == 1
    assert stats["calls"] <= 13, "one kill, at most one call more"
    assert len(stats["answered_twice"]) <= 1
    assert len(await world.rows()) == 12


async def test_lost_lock_connection_stops_the_call_which_is_repeated(world: World) -> None:
    model = "mock-0ms-lock"
    command = world.command(model)
    await world.control(model=model, hold=0)
    async with world.gateway() as http:
        await world.open_lane(command.group)
        await world.send(command)
        await world.until_calls(1)
        await world.db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name LIKE 'llmbench-inference-gateway@%' AND datname = current_database()"
        )
        await world.until_calls(2)
        await world.control(model=model, hold=None)
        assert isinstance((await world.finished(command.call_id)).outcome, Answered)
        while (await http.get("/health/ready")).status_code != 200:
            continue
    first, second = await world.ledger()
    assert not first["answered"], "stopped as soon as the lock was gone"
    assert second["started_monotonic"] >= first["finished_monotonic"]
    assert len(await world.rows()) == 1


async def test_paid_answer_waits_for_the_database(world: World) -> None:
    model = "mock-0ms-paid"
    command = world.command(model)
    await world.control(model=model, hold=0)
    async with world.gateway():
        await world.open_lane(command.group)
        await world.send(command)
        await world.until_calls(1)
        blocked = await _connection(world)
        async with contextlib.AsyncExitStack() as stack:
            transaction = blocked.transaction()
            await transaction.start()
            stack.push_async_callback(blocked.close)
            # The gateway's commit waits for this table lock; then its connection is terminated.
            await blocked.execute("LOCK TABLE model_call IN ACCESS EXCLUSIVE MODE")
            await world.control(model=model, hold=None)
            await _until_waiting_for_lock(world)
            await world.db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name LIKE 'llmbench-inference-gateway@%' AND datname = current_database()"
            )
            await transaction.rollback()
        await world.finished(command.call_id)
    assert len(await world.ledger()) == 1
    assert len(await world.rows()) == 1


async def test_stopped_gateway_hands_its_call_over_at_once(world: World) -> None:
    model = "mock-0ms-handed"
    command = world.command(model)
    await world.control(model=model, hold=0)
    await world.open_lane(command.group)
    await world.disable_redelivery_timeout(command.group)
    async with world.gateway_process() as process:
        await world.send(command)
        await world.until_calls(1)
        async with world.gateway():
            process.terminate()
            # After its shutdown, uvicorn ends itself by the signal that it received.
            assert await asyncio.wait_for(process.wait(), WAIT_S) in (0, -signal.SIGTERM)
            # The ack wait is an hour here, so the second call proves that the command was handed back.
            await world.until_calls(2)
            await world.control(model=model, hold=None)
            await world.finished(command.call_id)
    assert (await world.stats())["answered_twice"] == []


async def test_calls_in_flight_may_end_within_the_grace_period(world: World) -> None:
    command = world.command("mock-1s-grace")
    async with world.gateway(stop_grace_s=60):
        await world.open_lane(command.group)
        await world.send(command)
        await world.until_calls(1)
    assert isinstance((await world.finished(command.call_id)).outcome, Answered)
    await world.nothing_pending(command.group)


async def test_broker_that_returns_empty_causes_no_second_call(
    postgres_url: str, provider_url: str, tmp_path: Path
) -> None:
    port = free_port()
    async with contextlib.AsyncExitStack() as servers, contextlib.AsyncExitStack() as stack:
        first = contextlib.AsyncExitStack()
        url = await first.enter_async_context(nats_server(tmp_path / "first", port=port))
        world = await stack.enter_async_context(open_world(postgres_url, url, provider_url))
        await stack.enter_async_context(world.gateway())
        model = "mock-0ms-held-broker"
        command = world.command(model)
        await world.control(model=model, hold=0)
        await world.open_lane(command.group)
        await world.send(command)
        await world.until_calls(1)
        # The call continues without a broker; its answer is committed although its event cannot be published.
        await first.aclose()
        await world.control(model=model, hold=None)
        async with asyncio.timeout(90):
            while not await world.rows():
                await asyncio.sleep(0.05)
        await servers.enter_async_context(nats_server(tmp_path / "second", port=port))
        await until(lambda: world.nats.is_connected, "the connection")
        await ensure_streams(world.js)
        await world.open_lane(command.group)
        await world.send(command)
        assert isinstance((await world.finished(command.call_id)).outcome, Answered)
        await world.ask(world.command("mock-0ms-broker"))
        await world.nothing_pending(command.group)
        assert len(await world.ledger()) == 2


async def test_gateway_without_a_broker_stops_on_sigterm(postgres_url: str, provider_url: str, tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        broker = contextlib.AsyncExitStack()
        url = await broker.enter_async_context(nats_server(tmp_path / "nats"))
        world = await stack.enter_async_context(open_world(postgres_url, url, provider_url))
        process = await stack.enter_async_context(world.gateway_process())
        await world.ask(world.command())
        await broker.aclose()
        process.terminate()
        assert await asyncio.wait_for(process.wait(), WAIT_S) in (0, -signal.SIGTERM)


async def test_lane_with_a_deleted_consumer_uses_little_cpu(world: World) -> None:
    first, second = world.command(), world.command()
    async with world.gateway_process() as process:
        await world.ask(first)
        await delete_lane(world.js, first.group)
        used = psutil.Process(process.pid).cpu_times()
        await asyncio.sleep(2)
        now = psutil.Process(process.pid).cpu_times()
        assert now.user + now.system - used.user - used.system < 0.6
        names = [info.name for info in await world.js.consumers_info(COMMANDS)]
        assert lane_durable(first.group) not in names, "the orchestrator's to make, not the gateway's"
        await world.ask(second)


async def _connection(world: World) -> "asyncpg.Connection[asyncpg.Record]":
    return await asyncpg.connect(world.database_url)


async def _until_waiting_for_lock(world: World) -> None:
    async with asyncio.timeout(90):
        while not await world.db.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'relation'"):
            await asyncio.sleep(0.02)
