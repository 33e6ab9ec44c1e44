"""Test the function `fence`: a subscription is active once it returns, and it raises an error without a connection."""

import asyncio
from pathlib import Path

import nats
import pytest
from nats.aio.msg import Msg
from nats.errors import ConnectionClosedError

from llmbench.messaging.fence import fence
from tests.servers import nats_service

pytestmark = pytest.mark.never_rerun


async def test_fence_raises_without_a_connection(tmp_path: Path) -> None:
    lost, back = asyncio.Event(), asyncio.Event()
    received: asyncio.Queue[bytes] = asyncio.Queue()

    async def on_lost() -> None:
        lost.set()

    async def on_back() -> None:
        back.set()

    async def record(message: Msg) -> None:
        received.put_nowait(message.data)

    async with nats_service(tmp_path) as (server, url):
        client = await nats.connect(
            url, disconnected_cb=on_lost, reconnected_cb=on_back, reconnect_time_wait=0.1, max_reconnect_attempts=-1
        )
        other = None
        try:
            await fence(client)
            await server.kill()
            async with asyncio.timeout(90):
                await lost.wait()
            with pytest.raises(ConnectionClosedError):
                await fence(client)
            await server.start()
            async with asyncio.timeout(90):
                await back.wait()
                await client.subscribe("evt.test", cb=record)
                await fence(client)
                other = await nats.connect(url)
                await other.publish("evt.test", b"heard")
                assert await received.get() == b"heard"
        finally:
            await client.close()
            if other is not None:
                await other.close()
