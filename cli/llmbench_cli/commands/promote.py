"""The command `llmbench promote`: make another evaluator revision of a run the primary one."""

from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import Run, Url


@asks("runs:create", "runs:read")
def promote(
    run: Run,
    judge: Annotated[
        str,
        typer.Argument(
            metavar="JUDGE", help="The judge's model, or the id of its evaluator revision.", show_default=False
        ),
    ],
    *,
    evaluator: Annotated[
        str | None, typer.Option(metavar="NAME", help="The evaluator's name, if the judge scores for several.")
    ] = None,
    url: Url = None,
) -> None:
    """Base a finished run's statistics and item scores on the scores of another of its judges.

    No judge is called and no score is lost. To undo it, promote the previous judge.
    """
    import asyncio

    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.names import revision_of, run_id
    from llmbench_cli.safe_text import safe_line

    async def send() -> tuple[Json, Json]:
        async with Client(platform_url(url)) as client:
            path = f"/api/runs/{await run_id(client, run)}"
            chosen = revision_of(await client.get(path), judge, evaluator=evaluator)
            return await client.post(f"{path}/promote", {"revision_id": chosen["revision_id"]}), chosen

    answer, chosen = asyncio.run(send())
    terminal().print(
        f"{safe_line(answer['name'])}: the figures of {safe_line(chosen['name'])} are by {safe_line(judge)} now",
        soft_wrap=True,
    )
