"""Record what the supervisor reports, so that a test can wait for it."""

import asyncio
from dataclasses import dataclass, field


@dataclass
class Recorder:
    """A fake of `llmbench_cli.embedded.keeper.Reporter`, which records each event and each process that died."""

    events: list[tuple[str, str]] = field(default_factory=list)
    deaths: list[tuple[str, float, bool]] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, text: str) -> None:
        self._add("note", text)

    def starting(self, name: str) -> None:
        self._add("starting", name)

    def ready(self, name: str, took_s: float, detail: str = "") -> None:
        self._add("again" if detail else "ready", name)

    def died(self, name: str, how: str, retry_in_s: float, *, failing: bool) -> None:
        self.deaths.append((how, retry_in_s, failing))
        self._add("died", name)

    def stopped(self, name: str, *, insisted: bool) -> None:
        self._add("killed" if insisted else "stopped", name)

    async def until(self, what: str, name: str, *, times: int = 1, timeout_s: float = 90) -> None:
        """Wait until the event `what` of the process `name` has been reported `times` times."""
        async with asyncio.timeout(timeout_s):
            while self.events.count((what, name)) < times:
                self._changed.clear()
                await self._changed.wait()

    def _add(self, what: str, name: str) -> None:
        self.events.append((what, name))
        self._changed.set()
