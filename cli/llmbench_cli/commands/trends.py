"""The command `llmbench trends`: show how the scores of runs with one name, or of a suite, developed."""

import asyncio
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url


@asks("runs:read")
def trends(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The name that the runs share.", show_default=False)
    ] = None,
    *,
    suite: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Instead: the suite of the runs, in all its versions.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(min=2, max=100, help="The number of runs, the newest ones.")] = 30,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Show score, pass rate, cost and speed of each target over the finished runs of one name, or of a suite.

    A line between two runs says what changed between them: their scores are not comparable. Without a name and a
    suite, the command lists those that have at least two finished runs.
    """
    from llmbench_cli import trend_view
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.judge_notes import judge_notes
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.safe_text import safe_json

    if name is not None and suite is not None:
        raise typer.BadParameter("choose the runs either by their name or by their suite")
    is_list = name is None and suite is None

    async def read() -> tuple[Json, list[str]]:
        async with Client(platform_url(url)) as client:
            if is_list:
                return await client.get("/api/trends/names"), []
            chosen = {"name": name} if suite is None else {"suite": suite}
            found = await client.get("/api/trends", **chosen, limit=limit)
            runs = [point["run_id"] for series in found["series"] for point in series["points"]]
            return found, [] if as_json else await judge_notes(client, runs)

    found, of_judges = asyncio.run(read())
    if as_json:
        print_json(found)
        return
    shown = safe_json(found)
    for part in trend_view.names(shown) if is_list else trend_view.series(shown):
        terminal().print(part)
    notes = trend_view.notes_on_names(shown) if is_list else trend_view.notes(shown, is_suite=suite is not None)
    for note in [*notes, *of_judges]:
        print_note(note)
