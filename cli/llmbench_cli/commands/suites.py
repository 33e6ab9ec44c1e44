"""The commands `llmbench suites …`: manage suites as YAML files, through `/api/suites`."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AllowPartial, AsJson, Detach, MinPassRate, MinScore, Url

if TYPE_CHECKING:
    from rich.table import Table

    from llmbench_cli.client import Json

PATH = "/api/suites"
_RUNS = "/v1/benchmarks/runs"

suites = typer.Typer(help="Suites: tasks whose results are one score.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The suite's name.")]
Version = Annotated[
    int | None, typer.Option("--version", min=1, help="By default the newest version.", show_default=False)
]


@suites.command("apply")
@asks("suites:create")
def apply_suite(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", dir_okay=False, help="The suite.", show_default=False)],
    *,
    publish: Annotated[bool, typer.Option("--publish", help="Publish the result, so that it can run.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create or change a suite as a file describes it. A file with an error changes nothing.

    A published version never changes: a changed file creates a new version. Applying a file a second time changes
    nothing.
    """
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import say, show_response
    from llmbench_cli.suite_file import BadSuite, read_suite
    from llmbench_cli.suite_file import apply_suite as apply_file

    suite = read_suite(file)
    try:
        applied = with_client(url, lambda client: apply_file(client, suite, publish=publish))
    except BadSuite as bad:
        for fault in bad.faults:
            say(f"{file}:{fault.line}: {fault.message}")
        raise
    show_response(applied, done(applied), as_json=as_json)


@suites.command("add")
@asks("datasets:create", "datasets:read", "suites:create")
def add_suite(
    name: Annotated[
        str | None, typer.Argument(help="The suite; by default the names are listed.", show_default=False)
    ] = None,
    *,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Add a suite that is shipped with llmbench, with its datasets, and publish it."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import say, show_response
    from llmbench_cli.shipped_suites import add_shipped, shipped_names, shipped_suite

    if name is None:
        for each in shipped_names():
            say(f"{each}  {shipped_suite(each)['suite']['description']}")
        return
    applied = with_client(url, lambda client: add_shipped(client, name))
    show_response(applied, done(applied), as_json=as_json)


@suites.command("run")
@asks("runs:create", "runs:read", "suites:read")
def run_suite(  # noqa: PLR0913  # one parameter per option
    name: Name,
    *,
    model: Annotated[
        list[str],
        typer.Option("--model", "-m", metavar="PROVIDER:MODEL", help="What to test; may be repeated."),
    ],
    judge: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The judge, if an evaluator asks one.")
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="Run only this task; may be repeated.")] = None,
    version: Annotated[
        int | None,
        typer.Option(
            "--version", min=1, help="The version's number; by default the newest published.", show_default=False
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="LABEL",
            help="Compare with this baseline of the suite only; by default with each.",
            show_default=False,
        ),
    ] = None,
    parallelism: Annotated[int, typer.Option(min=1, max=256, help="Calls at a time to each hosted model.")] = 10,
    parallel_groups: Annotated[
        int, typer.Option(min=1, max=16, help="How many models of different hosted providers run side by side.")
    ] = 1,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the plan.")] = False,
    check_providers: Annotated[
        bool, typer.Option(help="Ask each provider for its models first, and refuse a missing one.")
    ] = True,
    detach: Detach = False,
    min_score: MinScore = None,
    min_pass_rate: MinPassRate = None,
    allow_partial: AllowPartial = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Run a published suite on models, and follow the run until it is over.

    The run waits in the queue while another one is active. When it ends, it is compared with the suite's baselines
    (`llmbench baseline promote --suite`, `llmbench gate add --suite`). Exit codes are those of `llmbench run`.
    """
    from llmbench_cli.console import terminal
    from llmbench_cli.runs.output import print_json, print_note
    from llmbench_cli.runs.run_file import Thresholds
    from llmbench_cli.runs.session import Session, go_on, in_session, merged
    from llmbench_cli.runs.start import start
    from llmbench_cli.runs.suite_body import model_of, suite_version
    from llmbench_cli.safe_text import safe_json
    from llmbench_cli.suite_view import notes_of, plan_table, scores_table

    thresholds = merged(Thresholds(), min_score=min_score, min_pass_rate=min_pass_rate, allow_partial=allow_partial)
    body: Json = {
        "models": [model_of(each) for each in model],
        "judge": model_of(judge) if judge else None,
        "tasks": task or None,
        "parallelism": parallelism,
        "baseline_label": baseline,
        "parallel_groups": parallel_groups,
        "check_providers": check_providers,
    }

    async def work(session: Session) -> int:
        client = session.client
        body["suite_id"] = (await suite_version(client, name, version, published=version is None))["id"]
        if dry_run:
            plan = await client.post(_RUNS, body, dry_run=True)
            if as_json:
                print_json(plan)
            else:
                terminal().print(plan_table(safe_json(plan)))
                for note in plan["notes"]:
                    print_note(note)
            return 0
        run_id = (await start(client, _RUNS, body, notify=print_note))["run_id"]
        made = await client.get(f"/api/runs/{run_id}")
        code = await go_on(session, made, detach=detach, as_json=as_json, thresholds=thresholds)
        if not detach and not as_json:
            scores = safe_json(await client.get(f"/api/runs/{run_id}/suite"))
            terminal().print(scores_table(scores))
            for target in scores["targets"]:
                for note in notes_of(target):
                    terminal(stderr=True).print(f"{target['label']}: {note}", soft_wrap=True)
        return code

    raise typer.Exit(in_session(url, work))


@suites.command("list")
@asks("suites:read")
def list_suites(*, as_json: AsJson = False, url: Url = None) -> None:
    """List suites by name, each in its newest version."""
    from llmbench_cli.client import Client, Json
    from llmbench_cli.console import terminal
    from llmbench_cli.running import platform_url
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.safe_text import safe_json

    async def read() -> list[Json]:
        async with Client(platform_url(url)) as client:
            return [entry async for entry in client.every(PATH)]

    found = asyncio.run(read())
    if as_json:
        print_json(found)
    elif found:
        terminal().print(_table(safe_json(found)))
    else:
        terminal(stderr=True).print("no suites yet: `llmbench suites apply FILE.yaml` makes one")


@suites.command("show")
@asks("suites:read")
def show_suite(name: Name, *, version: Version = None, as_json: AsJson = False, url: Url = None) -> None:
    """Show a suite with its tasks."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.runs.output import print_json
    from llmbench_cli.runs.suite_body import suite_version
    from llmbench_cli.safe_text import safe_json

    suite = with_client(url, lambda client: suite_version(client, name, version))
    if as_json:
        print_json(suite)
        return
    shown = safe_json(suite)
    terminal().print(_tasks(shown))
    if shown["description"]:
        terminal().print(shown["description"])


@suites.command("export")
@asks("suites:read")
def export_suite(
    name: Name,
    *,
    version: Version = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="The file to write; by default the standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    url: Url = None,
) -> None:
    """Write a suite as YAML, which `llmbench suites apply` reads."""
    from llmbench_cli.client import with_client
    from llmbench_cli.runs.sink import sink
    from llmbench_cli.runs.suite_body import suite_version

    suite = with_client(url, lambda client: suite_version(client, name, version))
    with sink(output, force=force) as put:
        put(_yaml(suite["definition"]).encode())


def done(applied: "Json") -> str:
    """Return the line that reports an applied suite. `applied` is the response of `POST /api/suites/apply`."""
    suite = applied["suite"]
    done = applied["change"].replace("_", " ")
    tasks = f"{suite['task_count']} task{'' if suite['task_count'] == 1 else 's'}"
    return f"✓ {done}: {suite['name']} v{suite['version_number']}, {tasks}, {suite['status']}"


def _yaml(definition: "Json") -> str:
    import yaml

    written: str = yaml.safe_dump(_brief(definition), allow_unicode=True, sort_keys=False, width=100)
    return written


def _brief(value: Any) -> Any:
    """Return the value without nulls, empty lists and empty objects. In a suite's file, they mean the default."""
    if isinstance(value, dict):
        brief = {name: _brief(each) for name, each in value.items() if name != "response_schema"}
        kept = {name: each for name, each in brief.items() if each not in (None, [], {})}
        # A schema is kept as it is: an empty list in it has a meaning.
        return kept | {name: value[name] for name in ("response_schema",) if value.get(name) is not None}
    return [_brief(each) for each in value] if isinstance(value, list) else value


def _table(found: "list[Json]") -> "Table":
    from llmbench_cli.runs.result_tables import plain_table

    shown = plain_table("")
    shown.add_column("suite", overflow="fold", min_width=12)
    for name in ("version", "tasks", "answers per target"):
        shown.add_column(name, justify="right", no_wrap=True)
    for name in ("state", "categories"):
        shown.add_column(name, overflow="fold")
    for entry in found:
        shown.add_row(
            entry["name"],
            str(entry["version_number"]),
            str(entry["task_count"]),
            str(entry["total_items"]),
            entry["status"],
            ", ".join(entry["categories"]),
        )
    return shown


def _tasks(suite: "Json") -> "Table":
    from llmbench_cli.runs.result_tables import plain_table
    from llmbench_cli.suite_view import gates_text

    title = f"{suite['name']} v{suite['version_number']}, {suite['status']}, aggregation {suite['aggregation']}"
    shown = plain_table(title)
    for name in ("task", "category", "source"):
        shown.add_column(name, overflow="fold")
    for name in ("cases", "epochs", "weight"):
        shown.add_column(name, justify="right", no_wrap=True)
    for name in ("evaluators", "after", "gate"):
        shown.add_column(name, overflow="fold")
    for task, facts in zip(suite["definition"]["tasks"], suite["tasks"], strict=True):
        version = f" v{facts['source_version']}" if facts["source_version"] else ""
        evaluators = ", ".join(each["name"] or each["kind"] for each in task["evaluators"])
        shown.add_row(
            task["name"],
            task["category"],
            facts["source_name"] + version,
            "gone" if facts["cases"] is None else str(facts["cases"]),
            str(task["epochs"]),
            f"{task['weight']:g}",
            evaluators or "checks, else the rubric",
            ", ".join(task["after"]),
            gates_text(task["gate"]),
        )
    return shown
