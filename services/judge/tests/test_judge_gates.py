"""Test how the judge watches the gates of runs, which say whether calls may start. However often this watch restarts,
it leaves no unused consumer on the NATS server.
"""

import pytest
from judge_world import until

from judge.adapters.nats_gates import NatsGates
from llmbench.contracts.run_state import RunGate
from llmbench.ids import new_id
from llmbench.messaging.broker import jetstream, make_broker, stop_broker
from llmbench.messaging.gate_watch import STREAM
from llmbench.messaging.streams import run_state_bucket

pytestmark = pytest.mark.never_rerun


async def test_repeated_watching_keeps_one_consumer(nats_url: str) -> None:
    broker = make_broker(nats_url, service="test")
    await broker.start()
    gates, run_id = NatsGates(broker), new_id()
    try:
        for _ in range(10):
            await gates.watch()
            assert await gates.is_current()
        assert len(await jetstream(broker).consumers_info(STREAM)) == 1
        await (await run_state_bucket(jetstream(broker))).put(str(run_id), RunGate.CLOSED.value.encode())
        await until(lambda: gates.known(run_id) is RunGate.CLOSED)
        [info] = await jetstream(broker).consumers_info(STREAM)
        await jetstream(broker).delete_consumer(STREAM, info.name)
        assert not await gates.is_current()
        await gates.stop()
        assert not await jetstream(broker).consumers_info(STREAM)
    finally:
        await stop_broker(broker)
