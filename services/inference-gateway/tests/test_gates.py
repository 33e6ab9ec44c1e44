"""Test how the gateway watches the gates of runs, which say whether calls may start. It follows changes, recovers from
errors, and leaves no unused consumer on the NATS server.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from gateway_world import WAIT_S, until
from nats.js.errors import KeyNotFoundError

from inference_gateway.adapters.gates import WatchedGates
from llmbench.background import background
from llmbench.contracts.run_state import RunGate
from llmbench.ids import new_id
from llmbench.messaging.broker import Broker, jetstream, make_broker, stop_broker
from llmbench.messaging.gate_watch import STREAM
from llmbench.messaging.streams import run_state_bucket

pytestmark = pytest.mark.never_rerun


@pytest.fixture
async def broker(nats_url: str) -> AsyncIterator[Broker]:
    opened = make_broker(nats_url, service="test")
    await opened.start()
    yield opened
    await stop_broker(opened)


@contextlib.asynccontextmanager
async def watched(broker: Broker, aborted: list[UUID]) -> AsyncIterator[WatchedGates]:
    gates = WatchedGates(broker, on_aborted=aborted.append, look_s=0.02)
    async with background(gates.run, name="gates"):
        await asyncio.wait_for(gates.read(), 90)
        yield gates


async def put(broker: Broker, run_id: UUID, gate: RunGate) -> None:
    await (await run_state_bucket(jetstream(broker))).put(str(run_id), gate.value.encode())


async def consumers(broker: Broker) -> int:
    return len(await jetstream(broker).consumers_info(STREAM))


async def until_consumers(broker: Broker, number: int) -> None:
    async with asyncio.timeout(WAIT_S):
        while await consumers(broker) != number:
            await asyncio.sleep(0.01)


async def test_watch_knows_existing_gates_and_follows_changes(broker: Broker) -> None:
    before, later, gone = new_id(), new_id(), new_id()
    await put(broker, before, RunGate.CLOSED)
    await put(broker, gone, RunGate.CLOSED)
    aborted: list[UUID] = []
    async with watched(broker, aborted) as gates:
        assert (gates.known(before), gates.known(later)) == (RunGate.CLOSED, RunGate.OPEN)
        await put(broker, later, RunGate.ABORTED)
        await (await run_state_bucket(jetstream(broker))).delete(str(gone))
        await until(lambda: aborted == [later] and gates.known(gone) is RunGate.OPEN)
        with contextlib.suppress(KeyNotFoundError):
            assert await gates.confirmed(before) is RunGate.CLOSED


async def test_repeated_renewal_keeps_at_most_one_consumer(broker: Broker) -> None:
    aborted: list[UUID] = []
    async with watched(broker, aborted) as gates:
        for _ in range(30):
            gates.renew()
            await put(broker, new_id(), RunGate.CLOSED)
            assert await consumers(broker) <= 1
        # A check during a change may replace the consumer, so there may be none for a moment.
        await until_consumers(broker, 1)
    assert await consumers(broker) == 0


async def test_watch_recovers_when_its_consumer_or_bucket_is_deleted(broker: Broker) -> None:
    run_id = new_id()
    js = jetstream(broker)
    async with watched(broker, []) as gates:
        [info] = await js.consumers_info(STREAM)
        await js.delete_consumer(STREAM, info.name)
        await put(broker, run_id, RunGate.CLOSED)
        await until(lambda: gates.known(run_id) is RunGate.CLOSED)
        await js.delete_stream(STREAM)
        await until(lambda: gates.known(run_id) is RunGate.OPEN)
        await put(broker, run_id, RunGate.ABORTED)
        await until(lambda: gates.known(run_id) is RunGate.ABORTED)
        await until_consumers(broker, 1)
