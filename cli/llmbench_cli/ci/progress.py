"""Show the progress of a run in the log of a CI job: at least one line every 30 seconds, and no bars."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from rich.console import Console

from llmbench_cli.runs import follow
from llmbench_cli.runs.progress_view import RunView

BEAT_S = 30.0


class SteadyView(RunView):
    """A view of a run that prints the run's progress again when nothing was printed for 30 seconds.

    CI systems end a job that logs nothing for a long time, and people think that the job is stuck.
    """

    def __init__(self, console: Console, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(console)
        self._clock = clock
        self._began = self._printed_at = clock()
        self._state = "waiting for the run to start"

    def progress(self, progress: follow.Progress) -> None:
        """Show the run's progress, and keep it, so that `beat` can print it again."""
        doing, done = ("judging", progress.through) if progress.phase == "JUDGING" else ("answering", progress.answered)
        self._state = f"{doing} {done}/{progress.items}"
        super().progress(progress)

    def beat(self) -> float:
        """Print the last known progress again if nothing was printed for 30 seconds. Return the number of seconds after
        which `beat` is to be called again."""
        silent_s = self._clock() - self._printed_at
        if silent_s < BEAT_S:
            return BEAT_S - silent_s
        self._print(f"still {self._state} after {self._clock() - self._began:.0f} s")
        return BEAT_S

    def _print(self, text: str, style: str = "") -> None:
        super()._print(text, style)
        self._printed_at = self._clock()


@asynccontextmanager
async def steady(console: Console) -> AsyncIterator[SteadyView]:
    """Yield a view that prints a line at least every 30 seconds. On a terminal it shows bars instead."""
    view = SteadyView(console)

    async def beat() -> None:
        while True:
            pause_s = view.beat()
            await asyncio.sleep(pause_s)

    task = None if console.is_terminal else asyncio.create_task(beat())
    try:
        with view:
            yield view
    finally:
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
