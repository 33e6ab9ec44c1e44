"""The commands `llmbench judge …`: let a judge score prepared answers, and compare judges that were checked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Detach, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Json
    from llmbench_cli.runs.session import Session

PATH: Final = "/api/judge-checks"

judge = typer.Typer(
    help="Find out how far a judge can be trusted: it scores prepared answers whose right verdicts are known.",
    no_args_is_help=True,
)


@judge.command("check")
@asks("providers:read", "runs:create", "runs:read")
def check(  # noqa: PLR0913  # one parameter per option
    *,
    judge: Annotated[
        str,
        typer.Option(
            "--judge", metavar="PROVIDER:MODEL", help="The judge, such as openai:gpt-4o-mini.", show_default=False
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            readable=True,
            help="A file of cases; by default the product's own adversarial ones.",
            show_default=False,
        ),
    ] = None,
    format_: Annotated[
        str,
        typer.Option("--format", help="The form of the file: cases, llmbar, judgebench, rewardbench, mt-bench."),
    ] = "cases",
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Use only this many cases, the first ones of the file.", show_default=False),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, max=5, help="How often each case is judged.")] = 2,
    max_cost: Annotated[
        float | None, typer.Option(min=0.000001, help="Pause at this cost in US dollars.", show_default=False)
    ] = None,
    min_accuracy: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Exit with 100 when the accuracy is below this.", show_default=False),
    ] = None,
    check_providers: Annotated[
        bool, typer.Option(help="Ask the judge's provider for its models first, and refuse a missing one.")
    ] = True,
    detach: Detach = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Let a judge score prepared answers, and print how often it is right, consistent, and fooled.

    Pairs are judged in both orders. Exit codes: 0 done, 1 not finished, 100 below --min-accuracy, 102 if fewer than
    90 % of the verdicts could be used.
    """
    from llmbench_cli.judge_files.read import cases_of
    from llmbench_cli.judge_files.registry import judge_file
    from llmbench_cli.recipes.make import NotAsPublished
    from llmbench_cli.runs.names import judge_choice
    from llmbench_cli.runs.output import print_note
    from llmbench_cli.runs.session import in_session

    body: dict[str, Any] = {"repeats": repeats, "max_cost_usd": max_cost, "check_providers": check_providers}
    if data is not None:
        try:
            found = cases_of(judge_file(format_), data, limit=limit)
        except NotAsPublished as bad:
            for fault in bad.faults:
                print_note(f"{data}: {fault}")
            raise
        for note in found.notes():
            print_note(note)
        body["set"] = {"name": found.name, "cases": found.cases}
    elif format_ != "cases" or limit is not None:
        raise typer.BadParameter("--format and --limit are about a file: name it with --data")

    async def work(session: "Session") -> int:
        return await _check(
            session, body, await judge_choice(session.client, judge), detach=detach, as_json=as_json, least=min_accuracy
        )

    raise typer.Exit(in_session(url, work))


@judge.command("list")
@asks("runs:read")
def list_(
    *,
    limit: Annotated[int, typer.Option(min=1, max=200, help="The maximum number of checks.")] = 100,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List the judges that were checked, side by side. Only rows with the same cases can be compared."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.judge_view import side_by_side
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    found = with_client(url, lambda client: client.get(PATH, limit=limit))
    if as_json:
        print_json(found["items"])
    elif not found["items"]:
        terminal(stderr=True).print("no judge checks yet: `llmbench judge check --judge PROVIDER:MODEL` makes one")
    else:
        terminal().print(side_by_side(safe_json(found["items"])))
        if found["next_cursor"]:
            terminal(stderr=True).print(f"the newest {limit} are shown: --limit shows more")


@judge.command("show")
@asks("runs:read")
def show(
    check_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="The id of the judge check, or its beginning or end.", show_default=False),
    ],
    *,
    wrong: Annotated[bool, typer.Option("--wrong", help="Also print the cases that the judge got wrong.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Print the result of a judge check."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.judge_view import cases_table, report
    from llmbench_cli.runs.names import id_of
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    async def read(client: Any) -> "Json":
        id_ = await id_of(client, PATH, check_id, what="judge check", listed_by="llmbench judge list")
        found: Json = await client.get(f"{PATH}/{id_}")
        if wrong:
            found["wrong"] = [case async for case in client.every(f"{PATH}/{id_}/cases")]
        return found

    found = with_client(url, read)
    if as_json:
        print_json(found)
        return
    terminal().print(report(safe_json(found)))
    if wrong:
        terminal().print(cases_table(safe_json(found["wrong"])))


async def _check(
    session: "Session", body: "Json", judge: "Json", *, detach: bool, as_json: bool, least: float | None
) -> int:
    from llmbench_cli.console import terminal
    from llmbench_cli.judge_view import exit_code, report
    from llmbench_cli.runs.follow import follow
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.runs.progress_view import RunView
    from llmbench_cli.runs.start import start
    from llmbench_cli.safe_text import safe_json

    made = await start(session.client, PATH, body | {"judge": judge}, notify=print_note)
    session.run_id = made["id"]
    if detach:
        if as_json:
            print_json(made)
        else:
            print_note(f"Started. See it with `llmbench judge show {made['id']}` or at {session.page(made['id'])}")
        return ExitCode.OK
    with RunView(terminal(stderr=True)) as view:
        await follow(session.client, made["id"], view)
    found = await session.client.get(f"{PATH}/{made['id']}")
    if as_json:
        print_json(found)
    else:
        terminal().print(report(safe_json(found)))
    code, reason = exit_code(found, least)
    if reason:
        print_note(f"✗ {reason}")
    return code
