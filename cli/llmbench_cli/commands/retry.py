"""The command `llmbench retry`: retry the failed answers and scores of a finished run, optionally with another
judge."""

from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AllowPartial, AsJson, Detach, MinPassRate, MinScore, Run, Url


@asks("providers:read", "runs:create", "runs:read")
def retry(  # noqa: PLR0913  # one parameter per option
    run: Run,
    *,
    judging: Annotated[bool, typer.Option("--judging", help="Retry only failed judgings; answers stay.")] = False,
    judge: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER:MODEL", help="Have another judge score what the first one could not."),
    ] = None,
    evaluator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only judgings of this evaluator of the run.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="With --judge: have it score every answer of the run.")] = False,
    allow_self_judging: Annotated[
        bool, typer.Option("--allow-self-judging", help="The judge may score its own answers.")
    ] = False,
    check_providers: Annotated[bool, typer.Option(help="Ask the judge's provider for the model first.")] = True,
    as_json: AsJson = False,
    detach: Detach = False,
    min_score: MinScore = None,
    min_pass_rate: MinPassRate = None,
    allow_partial: AllowPartial = False,
    url: Url = None,
) -> None:
    """Retry the failed answers and scores of a finished run, and follow it until it is over.

    Scores of different judges are kept apart. Exit codes are those of `llmbench run`.
    """
    from llmbench_cli.client import Json
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.runs.names import judge_choice, run_id
    from llmbench_cli.runs.output import print_note
    from llmbench_cli.runs.run_file import Thresholds
    from llmbench_cli.runs.session import Session, go_on, in_session, merged
    from llmbench_cli.runs.start import start

    if all_ and judge is None:
        raise CommandFailed("--all needs --judge: scores of the first judge stay")
    thresholds = merged(Thresholds(), min_score=min_score, min_pass_rate=min_pass_rate, allow_partial=allow_partial)

    async def work(session: Session) -> int:
        found = await run_id(session.client, run)
        path, body = f"/api/runs/{found}/retry-failed", Json()
        if judging or judge is not None or evaluator is not None:
            path = f"/api/runs/{found}/retry-judging"
        if evaluator is not None:
            body["evaluator"] = evaluator
        if judge is not None:
            body |= {
                "judge": await judge_choice(session.client, judge),
                "scope": "all" if all_ else "failed",
                "allow_self_judging": allow_self_judging,
                "check_providers": check_providers,
            }
        made = await start(session.client, path, body, notify=print_note)
        return await go_on(session, made, detach=detach, as_json=as_json, thresholds=thresholds)

    raise typer.Exit(in_session(url, work))
