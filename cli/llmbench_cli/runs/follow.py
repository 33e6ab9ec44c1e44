"""Follow a run by its events until it is over and its gates are decided, or until it pauses at its cost limit.

Events replace polling. The run is read once after subscribing, so that no change is missed, and again at its end or
after a lost connection. While the platform restarts, following continues to wait.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import Refused, Unreachable
from llmbench_cli.runs.events import EventsLost, run_events
from llmbench_cli.safe_text import safe_json

TERMINAL = frozenset({"FINISHED", "CANCELLED"})
_PLACE_EVERY_S = 10.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.25, 5.0


@dataclass(frozen=True)
class Progress:
    """The progress of a run. `through` counts the items that are judged, have failed or were skipped; `skipped` counts
    only the skipped ones. `current` describes the work in progress on one model; it is None if there is none. `others`
    describes the work on further models in the same way."""

    phase: str
    items: int
    answered: int
    through: int
    cost_usd: float
    current: Json | None
    others: Sequence[Json] = ()
    skipped: int = 0


class Watcher(Protocol):
    """The receiver of a run's changes, which shows them. Texts of the run are already safe to print on a terminal, but
    not the reason that `lost` gets."""

    def progress(self, progress: Progress) -> None:
        """Report the run's progress."""

    def status(self, status: str, phase: str, reason: str | None) -> None:
        """Report the run's state, its phase, and the reason of the state if there is one."""

    def queued(self, queue: Json) -> None:
        """Report the run's position in the queue."""

    def log(self, line: Json) -> None:
        """Report an event of the run's log."""

    def lost(self, why: str) -> None:
        """Report that the connection to the platform failed. Following continues with another attempt."""

    def found(self) -> None:
        """Report that the run could be read from the platform, which ends an outage that `lost` reported. This is
        called after every successful read, also if there was no outage."""


async def follow(client: Client, run_id: str, watcher: Watcher, *, with_log: bool = False) -> Json:
    """Wait until the run is over, with its gates decided, or has paused at its cost limit. Return its detail as the API
    describes it.

    A run that a person paused is followed further, because the person may resume it. An outage is reported to the
    watcher and waited for. With `with_log` the watcher also gets the run's log. Raises `Refused` for an error response
    that is no outage.
    """
    kinds = ("status", "progress", *(("log",) if with_log else ()))
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            async with run_events(client.url, run_id, kinds=kinds) as events:
                while True:
                    detail = await client.get(f"/api/runs/{run_id}")
                    pause_s = _FIRST_PAUSE_S
                    watcher.found()
                    _show(detail, watcher)
                    if _over(detail["status"], detail["status_reason"], detail.get("gate")):
                        return detail
                    queued = detail["status"] == "QUEUED"
                    async with _showing_place(client, run_id, watcher, queued=queued):
                        await _until_over(events, watcher, after=detail["last_seq"], queued=queued)
        except (EventsLost, Unreachable) as lost:
            watcher.lost(str(lost))
        except Refused as refused:
            if not refused.may_pass:
                raise
            watcher.lost(str(refused))
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


def _over(status: str, reason: str | None, gate: Json | None) -> bool:
    """Return whether to stop following the run: it is over, or the platform has paused it, which then gives a `reason`.
    A person's pause has no reason. While the gates are being decided, return false."""
    if gate is not None and gate["verdict"] == "pending":
        return False
    return status in TERMINAL or (status == "PAUSED" and reason is not None)


@asynccontextmanager
async def _showing_place(client: Client, run_id: str, watcher: Watcher, *, queued: bool) -> AsyncIterator[None]:
    """Report the position of a `queued` run every few seconds until the end of the block. Polling is needed, because a
    move of other runs in the queue causes no event of this run."""

    async def show() -> None:
        while True:
            await asyncio.sleep(_PLACE_EVERY_S)
            with suppress(Refused, Unreachable):
                if queue := (await client.get(f"/api/runs/{run_id}"))["queue"]:
                    watcher.queued(queue)

    task = asyncio.create_task(show()) if queued else None
    try:
        yield
    finally:
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _until_over(events: AsyncIterator[Json], watcher: Watcher, *, after: int, queued: bool) -> None:
    """Report the events with numbers above `after`, until the run is over. If the run is `queued`, return already at
    the next change of its state.
    """
    async for raw in events:
        if raw["run_seq"] <= after:
            continue
        event = safe_json(raw)
        kind = event["type"].removeprefix("llmbench.run.").partition(".")[0]
        if kind == "progressed":
            watcher.progress(
                Progress(
                    phase=event["phase"],
                    items=event["items"],
                    answered=event["answered"],
                    through=event["judged"] + event["failed"] + event.get("skipped", 0),
                    cost_usd=event.get("cost_usd", 0.0),
                    current=event.get("current"),
                    others=event.get("others") or (),
                    skipped=event.get("skipped", 0),
                )
            )
        elif kind == "logged":
            watcher.log(event)
        elif kind == "status_changed":
            if _over(event["status"], event.get("reason"), event.get("gate")):
                return
            watcher.status(event["status"], event["phase"], event.get("reason"))
            if queued:
                return


def _show(raw: Json, watcher: Watcher) -> None:
    detail = safe_json(raw)
    counts = detail["counts"]
    watcher.status(detail["status"], detail["phase"], detail["status_reason"])
    watcher.progress(
        Progress(
            phase=detail["phase"],
            items=counts["items"],
            answered=counts["answered"],
            through=counts["judged"] + counts["failed"] + counts.get("skipped", 0),
            cost_usd=detail["cost_usd"],
            current=detail["current"],
            others=detail.get("others") or (),
            skipped=counts.get("skipped", 0),
        )
    )
    if detail["queue"]:
        watcher.queued(detail["queue"])
