"""Subscribe to the events of runs on NATS."""

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

Event = TypeVar("Event", bound=Message)


@asynccontextmanager
async def run_events(stack: Platform, kind: type[Event]) -> AsyncIterator[asyncio.Queue[Event]]:
    """Yield a queue that receives the events of the class `kind` from all runs.

    The subscription is active when the block begins, and ends with it.
    """
    events: asyncio.Queue[Event] = asyncio.Queue()
    connection = await nats.connect(stack.nats_url)

    async def receive(message: Msg) -> None:
        event = parse(message.data)
        if isinstance(event, kind):
            events.put_nowait(event)

    try:
        await connection.subscribe(kind.SUBJECT.replace("{run_id}", "*"), cb=receive)
        await fence(connection)
        yield events
    finally:
        await connection.close()


async def until(events: asyncio.Queue[Event], wanted: Callable[[Event], bool], *, timeout_s: float) -> Event:
    """Wait for the first event for which `wanted` returns true, and return it. Events before it are dropped.

    Raises TimeoutError after `timeout_s`.
    """
    async with asyncio.timeout(timeout_s):
        while not wanted(event := await events.get()):
            pass
        return event
