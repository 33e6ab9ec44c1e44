"""Run a command on a stack until it is done or the user stops it.

The first Ctrl-C, SIGTERM or closed terminal begins an orderly stop, which waits for calls in flight. A second Ctrl-C or
SIGTERM ends that wait. PostgreSQL and NATS still stop in an orderly way, because a killed database has to recover.
"""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable

from rich.console import Console

from llmbench_cli.console import ConsoleReporter
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.stack import Stack
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.settings import CliSettings

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SAME_KEYSTROKE_S = 0.5
"""Seconds within which a second signal counts as the same Ctrl-C.

The terminal signals this process, and a parent program may forward the signal once more.
"""


async def with_stack(
    settings: CliSettings,
    console: Console,
    body: Callable[[Stack], Awaitable[int]],
    *,
    with_model: bool = True,
    interrupted: int | None = 0,
) -> int:
    """Start the stack, run `body` on it, stop the stack. Return the exit code.

    The code is 1 after a StartError, and otherwise that of `body`. After a signal it is `interrupted`; if that is None,
    128 plus the signal's number. `with_model` starts the built-in model if it is installed.
    """
    report = ConsoleReporter(console)
    stack = Stack(settings, report, with_model=with_model)

    async def run_on_stack() -> int:
        began = time.monotonic()
        console.print(f"[bold]llmbench[/] [dim]in {stack.home.root}[/]", highlight=False, soft_wrap=True)
        async with stack:
            report.settled()
            console.print(
                f"[bold green]Ready[/] in {time.monotonic() - began:.1f} s: [bold]{stack.url}[/]",
                highlight=False,
            )
            return await body(stack)

    task = asyncio.ensure_future(run_on_stack())
    stopping_since: float | None = None
    received = 0
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        nonlocal stopping_since, received
        if stopping_since is None:
            received = number
            stopping_since = loop.time()
            report.settled()
            console.print("Stopping …")
            task.cancel()
        elif number != signal.SIGHUP and loop.time() - stopping_since > _SAME_KEYSTROKE_S:
            console.print("Stopping at once …")
            stack.hurry()

    for number in _STOP_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        code = await task
    except asyncio.CancelledError:
        console.print("Stopped.")
        return ExitCode.INTERRUPTED - signal.SIGINT + received if interrupted is None else interrupted
    except StartError as failed:
        report.settled()
        console.print("[bold red]llmbench cannot start:[/] ", end="")
        console.print(str(failed), highlight=False, markup=False, soft_wrap=True)
        return ExitCode.FAILED
    finally:
        for number in _STOP_SIGNALS:
            loop.remove_signal_handler(number)
    return code
