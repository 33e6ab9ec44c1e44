"""Test an intake of messages on a real server. It handles each message once, and at most as many at a time as its
consumer allows.

At shutdown no message is lost.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
from nats.aio.msg import Msg

from llmbench.messaging.broker import Broker, jetstream, make_broker, stop_broker
from llmbench.messaging.intake import MOST, Intake
from llmbench.messaging.streams import COMMANDS, ensure_consumer, ensure_streams

pytestmark = pytest.mark.never_rerun

PATIENCE_S = 240.0
DURABLE = "worker"
SUBJECT = "cmd.judge.run"
AT_ONCE = 3


@pytest.fixture
async def broker(nats_url: str) -> AsyncIterator[Broker]:
    broker = make_broker(nats_url, service="test")
    await broker.connect()
    await ensure_streams(jetstream(broker))
    await _ensure_consumer(broker)
    try:
        yield broker
    finally:
        await stop_broker(broker)


async def _ensure_consumer(broker: Broker) -> None:
    js = jetstream(broker)
    await ensure_consumer(js, COMMANDS, DURABLE, "cmd.judge.*", max_ack_pending=AT_ONCE)
    # Wait an hour for an acknowledgement, so that a slow test causes no redelivery.
    info = await js.consumer_info(COMMANDS, DURABLE)
    await js.add_consumer(COMMANDS, info.config.evolve(ack_wait=3600.0))


async def _send(broker: Broker, *numbers: int) -> None:
    for number in numbers:
        await jetstream(broker).publish(SUBJECT, str(number).encode())


class _Work:
    """A handler that blocks each message until the test releases it."""

    def __init__(self, *, at_once: bool = True) -> None:
        self.taken: list[int] = []
        self.most = 0
        self._changed = asyncio.Condition()
        self._go = asyncio.Event()
        self._working = 0
        if at_once:
            self._go.set()

    async def take(self, message: Msg) -> None:
        async with self._changed:
            self.taken.append(int(message.data))
            self._working += 1
            self.most = max(self.most, self._working)
            self._changed.notify_all()
        await self._go.wait()
        self._working -= 1
        await message.ack()

    def let_go(self) -> None:
        self._go.set()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(lambda: len(self.taken) >= count)


async def _settled(broker: Broker) -> None:
    """Wait until the stream is empty because each message was acknowledged."""
    async with asyncio.timeout(PATIENCE_S):
        while (await jetstream(broker).stream_info(COMMANDS)).state.messages:
            continue


async def test_each_message_is_handled_once_within_the_consumers_limit(broker: Broker) -> None:
    numbers = list(range(MOST + 30))
    await _send(broker, *numbers)
    work = _Work()
    intake = Intake(broker, COMMANDS, DURABLE, work.take)
    await intake.start()
    await work.until(len(numbers))
    await _settled(broker)
    await intake.close()
    assert sorted(work.taken) == numbers
    assert work.most <= AT_ONCE


async def test_closing_intake_finishes_its_messages_and_leaves_the_others(broker: Broker) -> None:
    numbers = list(range(AT_ONCE + 4))
    await _send(broker, *numbers)
    first, second = _Work(at_once=False), _Work()
    closing, other = (Intake(broker, COMMANDS, DURABLE, work.take) for work in (first, second))
    await closing.start()
    await first.until(AT_ONCE)
    await closing.close()
    assert len(closing.in_hand) == AT_ONCE
    first.let_go()
    await other.start()
    await second.until(len(numbers) - AT_ONCE)
    await _settled(broker)
    await other.close()
    assert sorted([*first.taken, *second.taken]) == numbers
    assert not closing.in_hand


async def test_intake_continues_when_its_consumer_is_recreated(broker: Broker) -> None:
    work = _Work()
    intake = Intake(broker, COMMANDS, DURABLE, work.take)
    await intake.start()
    await _send(broker, 1)
    await work.until(1)
    await _settled(broker)
    await jetstream(broker).delete_consumer(COMMANDS, DURABLE)
    await _send(broker, 2)
    await _ensure_consumer(broker)
    await work.until(2)
    await intake.close()
    assert work.taken == [1, 2]


async def test_failing_message_does_not_delay_the_others(broker: Broker) -> None:
    work = _Work()

    async def take(message: Msg) -> None:
        if message.data == b"2" and message.metadata.num_delivered == 1:
            await message.nak()
            raise RuntimeError("unforeseen")
        await work.take(message)

    await _send(broker, 1, 2, 3)
    intake = Intake(broker, COMMANDS, DURABLE, take)
    await intake.start()
    await work.until(3)
    await _settled(broker)
    await intake.close()
    assert sorted(work.taken) == [1, 2, 3]
