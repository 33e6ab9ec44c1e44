"""Test that a restored connection stays open, however long it takes to ensure streams and consumers again."""

import asyncio
import signal
from pathlib import Path

import pytest
from nats.js.errors import ServiceUnavailableError

from llmbench.contracts.run_logged import RunLogged
from llmbench.messaging.broker import LostOnTheWay, client, jetstream, make_broker, stop_broker
from llmbench.messaging.publish import publish_durably
from llmbench.messaging.streams import COMMANDS, ensure_streams
from tests.servers import nats_service

pytestmark = pytest.mark.never_rerun


@pytest.mark.parametrize("trouble", [ServiceUnavailableError(), TimeoutError(), RuntimeError("the database is away")])
async def test_failed_restore_is_repeated_on_the_same_connection(tmp_path: Path, trouble: Exception) -> None:
    tries = 0
    restored = asyncio.Event()

    async def restore() -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise trouble
        await ensure_streams(jetstream(broker))
        restored.set()

    async with nats_service(tmp_path) as (server, url):
        broker = make_broker(url, service="test", on_reconnect=restore)
        try:
            await broker.start()
            await server.kill()
            await server.start()
            async with asyncio.timeout(90):
                await restored.wait()
            assert tries >= 3
            assert client(broker).stats["reconnects"] == 1
            assert (await jetstream(broker).stream_info(COMMANDS)).state.messages == 0
        finally:
            await stop_broker(broker)


async def test_broker_can_be_stopped_during_a_restore(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def restore() -> None:
        begun.set()
        await asyncio.Event().wait()

    async with nats_service(tmp_path) as (server, url):
        broker = make_broker(url, service="test", on_reconnect=restore)
        await broker.start()
        await server.kill()
        await server.start()
        async with asyncio.timeout(90):
            await begun.wait()
            await stop_broker(broker)
        assert not [task for task in asyncio.all_tasks() if task.get_name() == "restore"]


async def test_publish_fails_at_once_when_the_connection_is_lost(tmp_path: Path) -> None:
    line = RunLogged.model_validate(RunLogged.EXAMPLES[0])
    async with nats_service(tmp_path) as (server, url):
        broker = make_broker(url, service="test")
        try:
            await broker.start()
            await ensure_streams(jetstream(broker))
            await publish_durably(broker, line, service="test")
            server.signal(signal.SIGSTOP)
            before = client(broker).stats["out_msgs"]
            publishing = asyncio.create_task(publish_durably(broker, line, service="test"))
            async with asyncio.timeout(90):
                while client(broker).stats["out_msgs"] == before:
                    await asyncio.sleep(0)
            await server.kill()
            # The error is not `TimeoutError`: the client does not wait for an acknowledgement that cannot arrive.
            with pytest.raises(LostOnTheWay):
                await publishing
            await server.start()
            async with asyncio.timeout(90):
                await publish_durably(broker, line, service="test")
        finally:
            await stop_broker(broker)
