"""Test the outbox on real servers: every committed message is published, in order, and read once."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest
from faststream.nats import NatsBroker
from nats.js import JetStreamContext
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.task_changed import TaskChanged
from llmbench.db.engine import open_engine
from llmbench.db.tables import config_outbox
from llmbench.errors import MessageTooLarge
from llmbench.ids import new_id
from llmbench.messaging.broker import client, jetstream, make_broker, stop_broker
from llmbench.messaging.outbox import BATCH, Relay, put
from llmbench.messaging.streams import EVENTS, MAX_PAYLOAD_BYTES, ensure_streams
from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server

pytestmark = pytest.mark.never_rerun

PATIENCE_S = 240.0


@pytest.fixture
async def engine(postgres_url: str) -> AsyncIterator[AsyncEngine]:
    async with open_engine(postgres_url, application_name="test") as engine:
        yield engine


@contextlib.asynccontextmanager
async def _connected(nats_url: str) -> AsyncIterator[NatsBroker]:
    broker = make_broker(nats_url, service="test")
    await broker.connect()
    await ensure_streams(jetstream(broker))
    # Recognise duplicates for an hour, so that a slow test does not miss any.
    await jetstream(broker).update_stream((await jetstream(broker).stream_info(EVENTS)).config, duplicate_window=3600)
    try:
        yield broker
    finally:
        await stop_broker(broker)


@pytest.fixture
async def js(nats_url: str) -> AsyncIterator[JetStreamContext]:
    async with _connected(nats_url) as broker:
        yield jetstream(broker)


@contextlib.asynccontextmanager
async def _relaying(postgres_url: str, js: JetStreamContext) -> AsyncIterator["asyncio.Task[None]"]:
    relay = asyncio.create_task(Relay(postgres_url, js, config_outbox, service="test").run())
    try:
        yield relay
    finally:
        relay.cancel()
        await asyncio.wait([relay])


def _message(number: int) -> TaskChanged:
    return TaskChanged(change="created", id=new_id(), name=str(number), at=datetime.now(UTC))


async def _commit(engine: AsyncEngine, numbers: Sequence[int]) -> None:
    async with engine.begin() as connection:
        await put(connection, config_outbox, [_message(number) for number in numbers])


async def _published(js: JetStreamContext, number: int) -> list[int]:
    """Wait for the first `number` messages of the stream. Return the numbers in the messages, in the stream's order."""
    subscription = await js.subscribe("evt.config.>", stream=EVENTS, ordered_consumer=True)
    try:
        return [int(json.loads((await subscription.next_msg(timeout=PATIENCE_S)).data)["name"]) for _ in range(number)]
    finally:
        await subscription.unsubscribe()


async def _emptied(postgres_url: str) -> None:
    """Wait until the outbox is empty."""
    connection = await asyncpg.connect(postgres_url)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while await connection.fetchval("SELECT count(*) FROM config_outbox"):
                continue
    finally:
        await connection.close()


async def _stored(js: JetStreamContext) -> int:
    return (await js.stream_info(EVENTS)).state.messages


async def test_messages_are_published_in_the_order_of_their_transactions(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    total = BATCH * 2 + 50
    await _commit(engine, range(BATCH + 20))
    async with _relaying(postgres_url, js):
        for number in range(BATCH + 20, total):
            await _commit(engine, [number])
        assert await _published(js, total) == list(range(total))
        await _emptied(postgres_url)
    assert await _stored(js) == total


@pytest.mark.shows("I-17")
async def test_rolled_back_message_is_never_published(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    async with _relaying(postgres_url, js):
        with contextlib.suppress(RuntimeError):
            async with engine.begin() as connection:
                await put(connection, config_outbox, [_message(1)])
                raise RuntimeError("after all not")
        await _commit(engine, [2])
        assert await _published(js, 1) == [2]


async def test_two_relays_publish_each_message_once_and_in_order(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    async with _relaying(postgres_url, js) as first, _relaying(postgres_url, js):
        for number in range(60):
            await _commit(engine, [number])
            if number == 30:
                # From here on, the second relay continues the work.
                first.cancel()
        assert await _published(js, 60) == list(range(60))
        await _emptied(postgres_url)
    assert await _stored(js) == 60


async def test_relay_killed_before_deletion_publishes_duplicates_that_are_dropped(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    await _commit(engine, range(10))
    holder = await asyncpg.connect(postgres_url)
    try:
        hold = holder.transaction()
        await hold.start()
        # With this lock, the relay can read the rows but not delete them.
        await holder.execute("SELECT * FROM config_outbox FOR UPDATE")
        async with _relaying(postgres_url, js):
            assert await _published(js, 10) == list(range(10))
        await hold.rollback()
        assert await holder.fetchval("SELECT count(*) FROM config_outbox") == 10
    finally:
        await holder.close()
    async with _relaying(postgres_url, js):
        await _commit(engine, [10])
        await _emptied(postgres_url)
    assert await _stored(js) == 11
    assert await _published(js, 11) == list(range(11))


async def test_broker_outage_delays_messages_but_loses_none(
    engine: AsyncEngine, postgres_url: str, tmp_path: Path
) -> None:
    port = free_port()
    async with contextlib.AsyncExitStack() as stack:
        async with nats_server(tmp_path, port=port) as nats_url:
            broker = await stack.enter_async_context(_connected(nats_url))
            js = jetstream(broker)
            await stack.enter_async_context(_relaying(postgres_url, js))
            await _commit(engine, range(5))
            assert await _published(js, 5) == list(range(5))
        async with asyncio.timeout(PATIENCE_S):
            while client(broker).is_connected:  # nats-py has no event for a lost connection
                await asyncio.sleep(0.01)
        await _commit(engine, range(5, 20))
        async with nats_server(tmp_path, port=port):
            await _emptied(postgres_url)
            assert await _published(js, 20) == list(range(20))
            assert await _stored(js) == 20


async def test_lost_database_connection_is_restored(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    async with _relaying(postgres_url, js):
        await _commit(engine, [0])
        assert await _published(js, 1) == [0]
        async with engine.begin() as connection:
            await connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await _commit(engine, [1])
        assert await _published(js, 2) == [0, 1]


@pytest.mark.shows("I-22")
async def test_failing_message_is_overtaken_only_by_events_of_runs(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    """The stream refuses a message in the middle of a batch until the stream's size limit is raised. Until then, later
    messages wait, except events of runs. Afterwards all messages are published in order."""
    config = (await js.stream_info(EVENTS)).config
    await js.update_stream(config, max_msg_size=3000)
    numbers = [_message(number) for number in range(10)]
    # A name of 4,000 characters exceeds the limit. Leading zeros keep it the number 4.
    numbers[4] = numbers[4].model_copy(update={"name": f"{4:0>4000}"})
    elsewhere = RunLogged.model_validate(RunLogged.EXAMPLES[0])
    async with engine.begin() as connection:
        await put(connection, config_outbox, [*numbers, elsewhere])
    async with _relaying(postgres_url, js):
        assert await _published(js, 4) == [0, 1, 2, 3]
        heard = await js.subscribe(elsewhere.subject(), stream=EVENTS, ordered_consumer=True)
        await heard.next_msg(timeout=PATIENCE_S)
        assert await _stored(js) == 5
        await js.update_stream(config, max_msg_size=MAX_PAYLOAD_BYTES)
        await _emptied(postgres_url)
    assert await _published(js, 10) == list(range(10))
    assert await _stored(js) == 11


def _line(number: int, text: str = "a line") -> RunLogged:
    return RunLogged.model_validate(RunLogged.EXAMPLES[0]).model_copy(update={"run_seq": number, "text": text})


async def _numbers(js: JetStreamContext, number: int) -> list[int]:
    """Wait for the first `number` events of the run. Return their event numbers in the stream's order."""
    subscription = await js.subscribe(_line(0).subject(), stream=EVENTS, ordered_consumer=True)
    try:
        heard = [await subscription.next_msg(timeout=PATIENCE_S) for _ in range(number)]
        return [json.loads(message.data)["run_seq"] for message in heard]
    finally:
        await subscription.unsubscribe()


@pytest.mark.shows("I-22")
async def test_events_of_a_run_are_published_in_order(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    total = BATCH + 50
    async with engine.begin() as connection:
        await put(connection, config_outbox, [_line(number) for number in range(1, total + 1)])
    async with _relaying(postgres_url, js):
        assert await _numbers(js, total) == list(range(1, total + 1))
        await _emptied(postgres_url)
    assert await _stored(js) == total


async def test_refused_run_event_does_not_block_the_others_and_is_published_later(
    engine: AsyncEngine, postgres_url: str, js: JetStreamContext
) -> None:
    config = (await js.stream_info(EVENTS)).config
    await js.update_stream(config, max_msg_size=3000)
    async with engine.begin() as connection:
        await put(connection, config_outbox, [_line(1), _line(2, "x" * 4000), _line(3)])
    async with _relaying(postgres_url, js):
        assert await _numbers(js, 2) == [1, 3]
        await js.update_stream(config, max_msg_size=MAX_PAYLOAD_BYTES)
        await _emptied(postgres_url)
    assert await _numbers(js, 3) == [1, 3, 2]


async def test_too_large_message_is_refused_and_nothing_is_stored(engine: AsyncEngine, postgres_url: str) -> None:
    example = {**RunLogged.EXAMPLES[0], "text": "x" * MAX_PAYLOAD_BYTES}
    large = RunLogged.model_validate(example)
    with pytest.raises(MessageTooLarge):
        async with engine.begin() as connection:
            await put(connection, config_outbox, [_message(1), large])
    await _emptied(postgres_url)
