"""The commands `llmbench annotation …`: tasks in which people label items, through `/v1/annotations/tasks`."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client

Json = dict[str, Any]
PATH = "/v1/annotations/tasks"

annotation = typer.Typer(help="Tasks in which people label items.", no_args_is_help=True)
Task = Annotated[str, typer.Argument(metavar="TASK", help="The task's name or id.", show_default=False)]
Method = Annotated[
    Literal["majority", "dawid_skene"], typer.Option(help="How labels become a consensus: by votes, or by skill.")
]
Threshold = Annotated[
    float, typer.Option(min=0, max=1, help="The least confidence at which an item counts as agreed on.")
]


@annotation.command("list")
@asks("annotation-tasks:read")
def list_tasks(
    *,
    status: Annotated[str | None, typer.Option(help="DRAFT, ACTIVE, PAUSED or COMPLETED.")] = None,
    q: Annotated[str | None, typer.Option("--q", help="Part of the name.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="The maximum number of tasks.")] = 20,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List annotation tasks, newest first."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import print_json, say

    given: Json = {"status": status and status.upper(), "q": q, "limit": limit}
    query = {name: value for name, value in given.items() if value}
    page = with_client(url, lambda client: client.get(PATH, **query))
    if as_json:
        print_json(page["tasks"])
        return
    for task in page["tasks"]:
        say(f"{task['name']}  {task['status']}  {task['completed_items']} of {task['total_items']} items")
    if not page["tasks"]:
        say("no annotation tasks: `llmbench annotation create FILE.yaml` makes one")
    elif page["has_more"]:
        say(f"… {page['total']} in all")


@annotation.command("create")
@asks("annotation-tasks:create", "datasets:read", "runs:read")
def create_task(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.yaml", dir_okay=False, help="The task: the body of POST /v1/annotations/tasks."),
    ],
    *,
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="Label the cases of this dataset's newest published version.")
    ] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="Label the answers of this run.")] = None,
    activate: Annotated[bool, typer.Option("--activate", help="Give out the items at once.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create an annotation task from a file. The dataset or run may be named by an option instead."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import show_response

    if dataset is not None and run is not None:
        raise typer.BadParameter("name a dataset or a run, not both", param_hint="--dataset / --run")
    made = with_client(url, partial(_create, file, dataset, run, activate))
    begins = "gives out" if activate else "has"
    show_response(made, f"✓ {made['name']} {begins} {made['total_items']} items ({made['task_id']})", as_json=as_json)


async def _create(file: Path, dataset: str | None, run: str | None, activate: bool, client: "Client") -> Json:
    from llmbench_cli.resources import dataset_path, fail
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.suite_file import read_yaml_file

    body, _ = read_yaml_file(file, "an annotation task")
    if not isinstance(body, dict):
        fail(f"{file} describes no annotation task: write its properties, such as name and annotation_schema")
    if dataset is not None:
        path = await dataset_path(client, dataset)
        number = (await client.get(path))["published_version"]
        if number is None:
            fail(f"the dataset {dataset!r} has no published version: `llmbench datasets publish` publishes one")
        body["dataset_version_id"] = (await client.get(f"{path}/versions/{number}"))["version_id"]
    if run is not None:
        body["run"] = (body.get("run") or {}) | {"run_id": await run_id(client, run)}
    made = await client.post(PATH, body)
    return await client.post(f"{PATH}/{made['task_id']}/activate") if activate else made


@annotation.command("progress")
@asks("annotation-tasks:read")
def show_progress(
    task: Task, *, method: Method = "majority", threshold: Threshold = 0.8, as_json: AsJson = False, url: Url = None
) -> None:
    """Show the progress of an annotation task: labelled items, agreement between people, and the work of each
    person."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.resources import print_json, say

    async def read(client: "Client") -> Json:
        path = await task_path(client, task)
        return await client.get(f"{path}/progress", method=method, consensus_threshold=threshold)

    progress = with_client(url, read)
    if as_json:
        print_json(progress)
        return
    say(
        f"{progress['status']}: {progress['completed_items']} of {progress['total_items']} items have their labels, "
        f"{progress['items_with_consensus']} agreed on at {threshold:g}, {progress['decided_items']} decided"
    )
    for field in progress["agreement_metrics"]["fields"]:
        say(f"{field['field']}: {_agreement(field)}")
    if progress["annotator_stats"]:
        terminal().print(_people(progress["annotator_stats"]))


def _agreement(field: Json) -> str:
    alpha = field["krippendorff_alpha"]
    if alpha is None or alpha["value"] is None:
        why = field["not_measured_because"] or (alpha and alpha["undefined_because"])
        return f"no agreement: {why}"
    interval = f" ({alpha['low']:.2f} to {alpha['high']:.2f})" if alpha["low"] is not None else ""
    return f"alpha {alpha['value']:.2f}{interval}, {field['interpretation']}"


def _people(stats: list[Json]) -> object:
    from llmbench_cli.runs.result_tables import plain_table
    from llmbench_cli.runs.words import NONE
    from llmbench_cli.safe_text import safe_line

    table = plain_table("")
    table.add_column("person", overflow="fold")
    for name in ("labels", "skipped", "agreement", "gold right", "status"):
        table.add_column(name, justify="right")
    for one in stats:
        rate = one["agreement_rate"]
        table.add_row(
            safe_line(one["name"]),
            str(one["annotations_count"]),
            str(one["skipped"]),
            NONE if rate is None else f"{rate:.0%}",
            f"{one['gold_right']} of {one['gold_total']}" if one["gold_total"] else NONE,
            one["status"],
        )
    return table


@annotation.command("export")
@asks("annotation-tasks:read")
def export_labels(
    task: Task,
    *,
    format_: Annotated[
        Literal["json", "csv"] | None,
        typer.Option("--format", "-f", help="By default the file's extension decides, or json."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="The file to write; by default the standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    method: Method = "majority",
    threshold: Threshold = 0.8,
    url: Url = None,
) -> None:
    """Write the items on which people agree: json with all labels, or csv with a row per field."""
    from llmbench_cli.client import with_client
    from llmbench_cli.runs.sink import sink

    by_name = "csv" if output is not None and output.suffix.lower() == ".csv" else "json"
    query: Json = {"format": (format_ or by_name).upper(), "method": method, "consensus_threshold": threshold}

    async def write(client: "Client") -> None:
        path = await task_path(client, task)
        with sink(output, force=force) as put:
            async with client.stream(f"{path}/export", **query) as chunks:
                async for chunk in chunks:
                    put(chunk)

    with_client(url, write)


@annotation.command("ground-truth")
@asks("annotation-tasks:create", "annotation-tasks:read")
def make_ground_truth(
    task: Task,
    *,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL", help="For answers of a run: a label that makes an answer right; may be repeated."
        ),
    ] = None,
    field: Annotated[
        str | None, typer.Option(help="The question that decides; by default the first.", show_default=False)
    ] = None,
    publish: Annotated[bool, typer.Option("--publish", help="Publish the version at once.")] = False,
    method: Method = "majority",
    threshold: Threshold = 0.8,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Make a new version of the dataset, whose ground truth is what people agree on."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import show_response

    body: Json = {"method": method, "consensus_threshold": threshold, "field": field, "publish": publish}

    async def make(client: "Client") -> Json:
        path = await task_path(client, task)
        body["accept"] = _labels(accept or [], (await client.get(path))["annotation_schema"], field)
        return await client.post(f"{path}/dataset-version", body)

    made = with_client(url, make)
    show_response(made, f"✓ version {made['version_number']} has the consensus as ground truth", as_json=as_json)


def _labels(given: list[str], schema: Json, field: str | None) -> list[str | int]:
    """Convert the labels `given` on the command line to the type in the task's schema: to numbers if the field is a
    rating."""
    fields = schema.get("fields") or [schema]
    named = [each for each in fields if field in (None, each.get("name", "label"))]
    rates = bool(named) and named[0]["type"] == "rating"
    return [int(each) if rates and each.lstrip("-").isdecimal() else each for each in given]


async def task_path(client: "Client", task: str) -> str:
    """Return the path of the task with this id or name. End the command if no task has the name, or several have it."""
    from llmbench_cli.resources import fail, is_id

    if is_id(task):
        return f"{PATH}/{task}"
    page = await client.get(PATH, q=task, limit=100)
    found = [one for one in page["tasks"] if one["name"].casefold() == task.casefold()]
    if not found:
        fail(f"there is no annotation task {task!r}; `llmbench annotation list` lists them")
    if len(found) > 1:
        fail(f"{len(found)} annotation tasks are called {task!r}: name one by its id, {found[0]['task_id']} or another")
    return f"{PATH}/{found[0]['task_id']}"
