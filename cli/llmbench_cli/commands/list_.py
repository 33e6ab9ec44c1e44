"""The command `llmbench list`: list the runs, newest first unless an option says otherwise."""

import asyncio
from enum import StrEnum
from typing import Annotated, Any

import typer

from llmbench.contracts.run_words import RunStatus
from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url


class Sort(StrEnum):
    CREATED = "created_at"
    FINISHED = "finished_at"
    NAME = "name"
    STATUS = "status"
    DURATION = "took_s"
    SCORE = "best_score"
    COST = "cost_usd"
    CASES = "cases"
    FAILED = "failed"


class Order(StrEnum):
    ASCENDING = "asc"
    DESCENDING = "desc"


@asks("runs:read")
def list_(  # noqa: PLR0913  # one parameter per option
    *,
    status: Annotated[
        list[RunStatus] | None, typer.Option(case_sensitive=False, help="Only runs in this state; may be repeated.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only runs with this tag; may be repeated.")] = None,
    provider: Annotated[
        list[str] | None,
        typer.Option(help="Only runs with a target or a judge of this provider, by name or id; may be repeated."),
    ] = None,
    suite: Annotated[
        str | None, typer.Option(help="Only runs of this suite, in any version.", show_default=False)
    ] = None,
    q: Annotated[str | None, typer.Option("--q", help="Part of the name or the description.")] = None,
    sort: Annotated[Sort, typer.Option(help="The sort key. Runs without a value come last.")] = Sort.CREATED,
    order: Annotated[Order, typer.Option(help="From the lowest or from the highest.")] = Order.DESCENDING,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of runs.")] = 20,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List runs, newest first unless --sort and --order say otherwise."""
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.names import provider_ids
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.runs.result_tables import run_list
    from llmbench_cli.safe_text import safe_json

    given: dict[str, Any] = {"status": status, "tag": tag, "suite": suite, "q": q}
    query = {name: value for name, value in given.items() if value}

    async def read() -> list[Json]:
        found: list[Json] = []
        async with Client(platform_url(url)) as client:
            if provider:
                query["provider_id"] = await provider_ids(client, provider)
            async for run in client.every("/api/runs", sort=sort, order=order, **query):
                found.append(run)
                if len(found) == limit:
                    break
        return found

    runs = asyncio.run(read())
    if as_json:
        print_json(runs)
    elif runs:
        terminal().print(run_list(safe_json(runs)))
    else:
        terminal(stderr=True).print("no run fits" if query else "no runs yet: `llmbench run FILE.yaml` starts one")
