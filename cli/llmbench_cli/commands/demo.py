"""The command `llmbench demo`: start the platform and run a sample benchmark on it."""

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.rights import works_here

# Sixteen tasks for each of two targets are 32 items, which take a few minutes on two cores.
DEFAULT_TASKS = 16


@works_here
def demo(
    *,
    stop: Annotated[
        bool,
        typer.Option("--exit", help="Stop everything afterwards; the exit code says whether the demo succeeded."),
    ] = False,
    tasks: Annotated[int, typer.Option(min=1, help="How many of the sample tasks.")] = DEFAULT_TASKS,
) -> None:
    """Start the platform, and run a benchmark of the built-in model on sample tasks."""
    from llmbench_cli.demo.run import run_demo
    from llmbench_cli.embedded.stack import Stack
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.session import with_stack
    from llmbench_cli.settings import read_settings

    console = Console()

    async def body(stack: Stack) -> int:
        try:
            went_well = await run_demo(stack, console, tasks=tasks)
        except CommandFailed as failed:
            console.print(f"The demo failed: {failed}", style="red", markup=False, soft_wrap=True)
            return ExitCode.FAILED
        if stop:
            return ExitCode.OK if went_well else ExitCode.FAILED
        console.print("[dim]The platform stays up. Ctrl-C stops everything.[/]")
        await asyncio.Event().wait()
        return 0

    # An interrupted run with `--exit` has no verdict, so it must not exit with 0.
    interrupted = ExitCode.INTERRUPTED if stop else ExitCode.OK
    raise typer.Exit(asyncio.run(with_stack(read_settings(), console, body, interrupted=interrupted)))
