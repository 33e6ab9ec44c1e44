"""Runs something on a stack until it is done or a person stops it.

The first Ctrl-C, SIGTERM or closed terminal begins an orderly end; more of them change nothing,
because an end in order takes seconds and cutting it short leaves a database to recover.
"""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable

from rich.console import Console

from llmbench_cli.console import ConsoleReporter
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.stack import Stack
from llmbench_cli.settings import CliSettings

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def with_stack(
    settings: CliSettings,
    console: Console,
    body: Callable[[Stack], Awaitable[int]],
    *,
    with_model: bool = True,
    interrupted: int = 0,
) -> int:
    """Start the stack, run `body` on it, end the stack. Returns the exit code.

    `interrupted` when stopped by a signal, 1 when the stack could not start, else what `body` says.
    """
    report = ConsoleReporter(console)
    stack = Stack(settings, report, with_model=with_model)

    async def whole() -> int:
        began = time.monotonic()
        console.print(f"[bold]llmbench[/] [dim]in {stack.home.root}[/]", highlight=False, soft_wrap=True)
        async with stack:
            report.settled()
            console.print(
                f"[bold green]Ready[/] in {time.monotonic() - began:.1f} s: [bold]{stack.url}[/]",
                highlight=False,
            )
            return await body(stack)

    task = asyncio.ensure_future(whole())
    stopping = False

    def stop() -> None:
        nonlocal stopping
        if not stopping:
            stopping = True
            report.settled()
            console.print("Stopping …")
            task.cancel()

    loop = asyncio.get_running_loop()
    for number in _STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        code = await task
    except asyncio.CancelledError:
        console.print("Stopped.")
        return interrupted
    except StartError as failed:
        report.settled()
        console.print("[bold red]llmbench cannot start:[/] ", end="")
        console.print(str(failed), highlight=False, markup=False, soft_wrap=True)
        return 1
    finally:
        for number in _STOP_SIGNALS:
            loop.remove_signal_handler(number)
    return code
