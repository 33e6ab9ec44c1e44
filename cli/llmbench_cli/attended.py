"""Run a command that the user may interrupt. A signal such as Ctrl-C ends the command, but not its work on the
platform."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import typer

from llmbench_cli.exit_codes import ExitCode

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def attended(body: Coroutine[Any, Any, int], *, farewell: Callable[[], str]) -> int:
    """Run `body` and return its exit code. If SIGINT, SIGTERM or SIGHUP ends it, the result is 128 plus the signal's
    number: 130 for Ctrl-C. The text that `farewell` returns is then printed on stderr."""
    return asyncio.run(_until_signal(body, farewell))


async def _until_signal(body: Coroutine[Any, Any, int], farewell: Callable[[], str]) -> int:
    task = asyncio.ensure_future(body)
    received = 0

    def stop(number: int) -> None:
        nonlocal received
        received = received or number
        task.cancel()

    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not received:
            raise
        typer.echo(farewell(), err=True)
        return ExitCode.INTERRUPTED - signal.SIGINT + received
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
