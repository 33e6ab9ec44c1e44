"""Follows a run by its events until it is over.

Told by NATS, not asked for: the HTTP API is read once at the start, and again only after a silence,
in case an event was lost with a connection.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

import nats
from nats.aio.msg import Msg

from llmbench_cli.demo.client import Client, Json

TERMINAL = frozenset({"FINISHED", "CANCELLED"})
_SILENCE_S = 10.0


class Watcher(Protocol):
    """Whoever draws the progress."""

    def progress(self, *, phase: str, items: int, answered: int, judged: int, current: Json | None) -> None:
        """The run got further."""

    def status(self, status: str, phase: str, reason: str | None) -> None:
        """The run's state changed."""


async def follow(client: Client, nats_url: str, run_id: str, watcher: Watcher) -> Json:
    """Return the run's final detail."""
    async with _events(nats_url, run_id) as events:
        while True:
            detail = await client.get(f"/api/runs/{run_id}")
            _show(detail, watcher)
            if detail["status"] in TERMINAL:
                return detail
            await _until_over_or_silent(events, watcher)


async def _until_over_or_silent(events: asyncio.Queue[Json], watcher: Watcher) -> None:
    while True:
        try:
            event = await asyncio.wait_for(events.get(), timeout=_SILENCE_S)
        except TimeoutError:
            return
        kind = event.get("type", "")
        if kind.startswith("llmbench.run.progressed."):
            watcher.progress(
                phase=event["phase"],
                items=event["items"],
                answered=event["answered"],
                judged=event["judged"] + event["failed"],
                current=event.get("current"),
            )
        elif kind.startswith("llmbench.run.status_changed."):
            watcher.status(event["status"], event["phase"], event.get("reason"))
            if event["status"] in TERMINAL:
                return


def _show(detail: Json, watcher: Watcher) -> None:
    counts = detail["counts"]
    watcher.status(detail["status"], detail["phase"], detail["status_reason"])
    watcher.progress(
        phase=detail["phase"],
        items=counts["items"],
        answered=counts["answered"],
        judged=counts["judged"] + counts["failed"],
        current=detail["current"],
    )


@asynccontextmanager
async def _events(nats_url: str, run_id: str) -> AsyncIterator[asyncio.Queue[Json]]:
    queue: asyncio.Queue[Json] = asyncio.Queue()

    async def take(message: Msg) -> None:
        event: Any = json.loads(message.data)
        await queue.put(event)

    client = await nats.connect(nats_url, max_reconnect_attempts=-1, reconnect_time_wait=0.25)
    try:
        await client.subscribe(f"evt.run.{run_id}.>", cb=take)
        await client.flush()
        yield queue
    finally:
        await client.close()
