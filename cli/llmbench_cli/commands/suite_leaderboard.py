"""The command `llmbench suites leaderboard`: show the results of a suite by target, with the ranks that each target may
have."""

import asyncio
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url


@asks("providers:read", "runs:read")
def leaderboard(
    name: Annotated[str, typer.Argument(help="The suite's name.")],
    *,
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="Only runs of this version.", show_default=False)
    ] = None,
    provider: Annotated[
        list[str] | None, typer.Option(help="Only targets of this provider, by name or id; may be repeated.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only runs that finished at this time or later.", show_default=False),
    ] = None,
    category: Annotated[
        str | None, typer.Option(help="The scores of this category of tasks.", show_default=False)
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="The scores of cases with this tag; may be repeated.")] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Show the latest complete run of each target of a suite, with its score, possible ranks, cost and speed.

    Runs are in one table only if they have the same suite version, cases, judge and evaluators.
    """
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.judge_notes import judge_notes
    from llmbench_cli.runs.names import provider_ids
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json, safe_line
    from llmbench_cli.suite_leaderboard_view import head_to_head, list_table, notes

    given: Json = {"suite": name, "version": version, "since": since, "category": category, "tag": tag}

    async def read() -> tuple[Json, list[str]]:
        async with Client(platform_url(url)) as client:
            query = {key: value for key, value in given.items() if value is not None}
            if provider:
                query["provider_id"] = await provider_ids(client, provider)
            board = await client.get("/api/leaderboards", **query)
            runs = [entry["run_id"] for listed in board["lists"] for entry in listed["entries"]]
            return board, [] if as_json else await judge_notes(client, runs)

    found, of_judges = asyncio.run(read())
    if as_json:
        print_json(found)
        return
    shown = safe_json(found)
    for each in shown["lists"]:
        terminal().print(list_table(shown["name"], each))
        if each["head_to_head"] is not None:
            terminal().print(head_to_head(each["head_to_head"]))
    for note in [*notes(shown), *map(safe_line, of_judges)]:
        terminal(stderr=True).print(note, soft_wrap=True)
