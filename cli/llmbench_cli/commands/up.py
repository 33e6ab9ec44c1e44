"""The command `llmbench up`: run the platform behind one URL, until Ctrl-C."""

import asyncio
import os
from typing import Annotated, Never

import typer
from rich.console import Console

from llmbench_cli.rights import works_here


@works_here
def up(
    *,
    model: Annotated[bool, typer.Option(help="Start the built-in model if it is installed.")] = True,
    measure: Annotated[
        bool, typer.Option("--measure", help="Print the memory of every part once all are idle.")
    ] = False,
) -> None:
    """Start PostgreSQL, NATS, the services and the web application; Ctrl-C ends them all."""
    from llmbench_cli.embedded.stack import Stack
    from llmbench_cli.memory import SUPERVISOR, measured
    from llmbench_cli.session import with_stack
    from llmbench_cli.settings import read_settings

    console = Console()

    async def stay(stack: Stack) -> int:
        console.print("[dim]Ctrl-C stops everything.[/]")
        if measure:
            console.print(await measured({**stack.pids(), SUPERVISOR: os.getpid()}))
        return await _for_ever()

    raise typer.Exit(asyncio.run(with_stack(read_settings(), console, stay, with_model=model)))


async def _for_ever() -> Never:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets this event")
