"""The command `llmbench watch`: follow a run until it is over."""

from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AllowPartial, AsJson, MinPassRate, MinScore, Run, Url


@asks("runs:read")
def watch(
    run: Run,
    *,
    log: Annotated[bool, typer.Option("--log", help="Print prompts, answers and verdicts as they come.")] = False,
    as_json: AsJson = False,
    min_score: MinScore = None,
    min_pass_rate: MinPassRate = None,
    allow_partial: AllowPartial = False,
    url: Url = None,
) -> None:
    """Follow a run until it is over, or until it pauses at its cost limit. If the platform restarts, wait for it.

    Exit codes are those of `llmbench run`. Ctrl-C stops watching, not the run.
    """
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.runs.run_file import Thresholds
    from llmbench_cli.runs.session import Session, in_session, merged, watch_to_the_end

    thresholds = merged(Thresholds(), min_score=min_score, min_pass_rate=min_pass_rate, allow_partial=allow_partial)

    async def work(session: Session) -> int:
        found = await run_id(session.client, run)
        # Fail here if the run does not exist: `watch_to_the_end` would take the error for a restarting platform.
        await session.client.get(f"/api/runs/{found}")
        return await watch_to_the_end(session, found, thresholds=thresholds, as_json=as_json, with_log=log)

    raise typer.Exit(in_session(url, work))
