"""Subscribe to runs' events on NATS."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import nats
from nats.aio.msg import Msg

from llmbench.contracts.base import Message
from llmbench.contracts.registry import parse
from llmbench.messaging.fence import fence
from tests.platform import Platform

Heard = TypeVar("Heard", bound=Message)


@asynccontextmanager
async def run_events(stack: Platform, kind: type[Heard]) -> AsyncIterator[asyncio.Queue[Heard]]:
    """Yield a queue that receives all runs' events of one kind. The subscription is active when the block begins."""
    heard: asyncio.Queue[Heard] = asyncio.Queue()
    connection = await nats.connect(stack.nats_url)

    async def hear(message: Msg) -> None:
        event = parse(message.data)
        if isinstance(event, kind):
            heard.put_nowait(event)

    try:
        await connection.subscribe(kind.SUBJECT.replace("{run_id}", "*"), cb=hear)
        await fence(connection)
        yield heard
    finally:
        await connection.close()


async def until(heard: asyncio.Queue[Heard], wanted: Callable[[Heard], bool], *, timeout_s: float) -> Heard:
    """Return the first event that satisfies the condition; events before it are dropped."""
    async with asyncio.timeout(timeout_s):
        while not wanted(event := await heard.get()):
            pass
        return event
