"""`llmbench doctor`: what runs, where, and what it weighs."""

import asyncio

from rich.console import Console


def doctor() -> None:
    """Show the running stack: its URLs, its processes and their memory."""
    from llmbench_cli.embedded.leftovers import living
    from llmbench_cli.memory import SUPERVISOR, measured
    from llmbench_cli.running import running_stack

    runtime = running_stack()
    console = Console()
    console.print(f"[bold]{runtime.url}[/], supervisor pid {runtime.supervisor.pid}", highlight=False)
    for child in runtime.children:
        state = "runs" if living(child) else "[red]does not run[/]"
        console.print(
            f"  {child.name:<18} pid {child.pid:<8} port {runtime.ports.get(child.name, '-')}  {state}",
            highlight=False,
        )
    pids = {child.name: child.pid for child in runtime.children if living(child)}
    console.print(asyncio.run(measured({**pids, SUPERVISOR: runtime.supervisor.pid}, settle_s=0)))
