"""Keep one process running: start it, wait until it is ready, restart it when it dies, stop it.

Events are passed to a `Reporter`; this module prints nothing.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Protocol

from llmbench_cli.embedded.backoff import next_restart
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.logs import last_messages
from llmbench_cli.embedded.process import ProcessSpec, end, spawn


class Reporter(Protocol):
    """The interface through which the stack's events are shown to a user. `name` is the name of a part, such as
    `postgres`."""

    def note(self, text: str) -> None:
        """Report a message for the user."""

    def starting(self, name: str) -> None:
        """Report that a part of the stack is starting."""

    def ready(self, name: str, took_s: float, detail: str = "") -> None:
        """Report that a part of the stack is ready after `took_s` seconds. `detail` follows the time, such as `again`
        after a restart."""

    def died(self, name: str, how: str, retry_in_s: float, *, failing: bool) -> None:
        """Report that a part of the stack ended unexpectedly, for the reason `how`, and will be restarted. `failing` is
        true if it keeps ending."""

    def stopped(self, name: str, *, insisted: bool) -> None:
        """Report that a part of the stack was stopped. `insisted` is true if it had to be killed."""


class Keeper:
    """Keep one process of the stack running: start it, restart it when it dies, and stop it."""

    def __init__(
        self,
        spec: ProcessSpec,
        *,
        report: Reporter,
        changed: Callable[[], None],
        start_timeout_s: float = 60.0,
    ) -> None:
        """Create the keeper, which starts nothing yet. `changed` is called after each start of the process, before the
        process is ready. `start_timeout_s` limits the wait for its readiness."""
        self.spec = spec
        self._report = report
        self._changed = changed
        self._start_timeout_s = start_timeout_s
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._hurried = False

    @property
    def pid(self) -> int | None:
        """The pid of the process; `None` if it does not run."""
        process = self._process
        return process.pid if process and process.returncode is None else None

    async def start(self) -> None:
        """Start the process and wait until it is ready. Raises StartError if it ends before that or takes too long, and
        OSError if it cannot be executed."""
        began = time.monotonic()
        self._report.starting(self.spec.name)
        process = await self._spawn()
        try:
            if not await self._becomes_ready(process):
                raise StartError(f"{self.spec.name} did not start: {self._reason(process)}", log=self.spec.log)
        except BaseException:
            await end(process, self.spec)
            raise
        self._report.ready(self.spec.name, time.monotonic() - began)
        self._watch = asyncio.create_task(self._keep(process), name=f"keep {self.spec.name}")

    async def stop(self) -> None:
        """Stop the process, and stop restarting it."""
        if self._watch:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
            self._watch = None
        if self._process is None or self._process.returncode is not None:
            return
        if self._hurried:
            self._process.kill()
        by_itself = await end(self._process, self.spec)
        self._report.stopped(self.spec.name, insisted=not by_itself)

    def hurry(self) -> None:
        """Skip the grace period: kill the process now if it is starting or stopping, else as soon as `stop` is
        called."""
        self._hurried = True
        if self._watch is None and self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def _keep(self, process: asyncio.subprocess.Process) -> None:
        deaths: list[float] = []
        while True:
            await process.wait()
            now = time.monotonic()
            deaths.append(now)
            restart = next_restart(deaths, now_s=now)
            self._report.died(
                self.spec.name,
                self._reason(process),
                restart.delay_s,
                failing=restart.failing,
            )
            process = await self._start_again(process, restart.delay_s)

    async def _start_again(self, dead: asyncio.subprocess.Process, delay_s: float) -> asyncio.subprocess.Process:
        """Start a new process after the delay, and return it. If it cannot be started, return the dead one."""
        await asyncio.sleep(delay_s)
        began = time.monotonic()
        try:
            process = await self._spawn()
        except OSError as refused:
            # A full process table or a missing program counts as one more death.
            self._report.note(f"{self.spec.name} cannot be started: {refused}")
            return dead
        if await self._becomes_ready(process):
            self._report.ready(self.spec.name, time.monotonic() - began, "again")
        elif process.returncode is None:
            # The process may wait for a server that is itself restarting.
            self._report.note(f"{self.spec.name} runs but is not ready yet (log: {self.spec.log})")
        return process

    async def _spawn(self) -> asyncio.subprocess.Process:
        self._process = await spawn(self.spec)
        self._changed()
        return self._process

    async def _becomes_ready(self, process: asyncio.subprocess.Process) -> bool:
        ready = asyncio.ensure_future(self.spec.ready())
        ended = asyncio.ensure_future(process.wait())
        try:
            await asyncio.wait(
                {ready, ended},
                timeout=self._start_timeout_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if not ready.done() or process.returncode is not None:
                return False
            ready.result()
            return True
        finally:
            for task in (ready, ended):
                task.cancel()
            await asyncio.gather(ready, ended, return_exceptions=True)

    def _reason(self, process: asyncio.subprocess.Process) -> str:
        code = process.returncode
        if code is None:
            return f"not ready after {self._start_timeout_s:.0f} s"
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        messages = last_messages(self.spec.log)
        return f"{how}; {messages}" if messages and code >= 0 else how
