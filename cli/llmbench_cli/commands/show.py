"""The command `llmbench show`: print a run's results."""

import asyncio
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Run, Url


@asks("runs:read")
def show(
    run: Run,
    *,
    tasks: Annotated[bool, typer.Option("--tasks", help="Also print the figures of every task.")] = False,
    tags: Annotated[bool, typer.Option("--tags", help="Also print the figures by tag of the cases.")] = False,
    failed: Annotated[
        bool, typer.Option("--failed", help="Also print every item that failed, with the reason.")
    ] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Show a run: results per target and category with 95 % intervals, evaluators, cost, and why items failed."""
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs import baselines, cost_view, failures, result_tables
    from llmbench_cli.runs.judge_notes import judge_notes
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.runs.output import page, print_json, print_note
    from llmbench_cli.runs.tag_table import tag_table
    from llmbench_cli.safe_text import safe_json

    async def read() -> tuple[Json, list[Json], Json | None, str, list[str]]:
        async with Client(platform_url(url)) as client:
            found = await run_id(client, run)
            include = [*(["tasks"] if tasks else []), *(["case_tags"] if tags else [])]
            detail = await client.get(f"/api/runs/{found}", include=include)
            items: list[Json] = []
            if detail["counts"]["failed"] and failed:
                items = [item async for item in client.every(f"/api/runs/{found}/items", status="FAILED")]
            causes = await client.get(f"/api/runs/{found}/failures") if detail["counts"]["failed"] else None
            notes = [] if as_json else await judge_notes(client, [found])
            return detail, items, causes, page(client, found), notes

    detail, items, causes, where, of_judges = asyncio.run(read())
    if as_json:
        print_json(detail | {"url": where, "failures": causes} | ({"failed_items": items} if failed else {}))
        return
    console, shown, lost, why = terminal(), safe_json(detail), safe_json(items), safe_json(causes)
    panels, passes, judges = result_tables.panels(shown), result_tables.passes(shown), result_tables.judges(shown)
    blocks = [
        result_tables.title(shown, where),
        result_tables.quality(shown),
        *([baselines.verdict_table(shown["gates"])] if shown["gates"] else []),
        *([passes] if passes else []),
        result_tables.speed(shown),
        result_tables.throughput(shown),
        result_tables.categories(shown),
        result_tables.evaluators(shown),
        *([judges] if judges else []),
        *([panels] if panels else []),
        *([result_tables.evaluators_by_target(shown)] if len(shown["evaluators"]) > 1 else []),
        *([result_tables.tasks(shown)] if tasks else []),
        *([tag_table(shown)] if tags else []),
        *([failures.every(lost)] if lost else [failures.by_cause(why)] if why else []),
        cost_view.cost(shown),
    ]
    result_tables.spaced(console, blocks)
    for note in of_judges:
        print_note(note)
