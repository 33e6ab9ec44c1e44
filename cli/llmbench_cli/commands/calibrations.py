"""The commands `llmbench calibrations …`: measure how far judges agree with people, through `/api/calibrations`."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url

if TYPE_CHECKING:
    from llmbench_cli.client import Client

Json = dict[str, Any]
PATH = "/api/calibrations"

calibrations = typer.Typer(help="Judges measured against people.", no_args_is_help=True)
Calibration = Annotated[
    str, typer.Argument(metavar="CALIBRATION", help="The calibration's name or id.", show_default=False)
]
Run = Annotated[str | None, typer.Option(metavar="RUN", help="The run whose answers are labelled.", show_default=False)]


class Measure(StrEnum):
    """The values of `--measure`, which say whether people's labels are to correct the judge's pass rate or its mean
    score."""

    PASSES = "pass_rate"
    MEAN = "mean"


@calibrations.command("list")
@asks("annotation-tasks:read", "runs:read")
def list_calibrations(
    *,
    run: Annotated[
        str | None, typer.Option(metavar="RUN", help="Only calibrations of this run's judges.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of calibrations.")] = 50,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List calibrations, the newest first."""
    from llmbench_cli.calibration_view import calibration_table
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.resources import print_json
    from llmbench_cli.runs.names import run_id
    from llmbench_cli.safe_text import safe_json

    async def read(client: "Client") -> list[Json]:
        of_run = {} if run is None else {"run_id": await run_id(client, run)}
        found: list[Json] = []
        async for each in client.every(PATH, **of_run):
            found.append(each)
            # Read one more than the limit, which shows that the list goes on.
            if len(found) > limit:
                break
        return found

    found = with_client(url, read)
    if as_json:
        print_json(found[:limit])
    elif found:
        terminal().print(calibration_table(safe_json(found[:limit])))
        if len(found) > limit:
            terminal(stderr=True).print(f"the newest {limit} are shown: --limit shows more")
    else:
        terminal(stderr=True).print("no calibrations: `llmbench calibrations create` makes one")


@calibrations.command("create")
@asks("annotation-tasks:create", "annotation-tasks:read", "runs:read")
def create_calibration(  # noqa: PLR0913  # one parameter per option
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="LABELS.csv",
            dir_okay=False,
            exists=True,
            help="Labels as CSV or JSON lines: item_id (or case, target, epoch), label, annotator.",
            show_default=False,
        ),
    ] = None,
    *,
    run: Run = None,
    task: Annotated[
        str | None,
        typer.Option(metavar="TASK", help="Take the labels of this completed annotation task.", show_default=False),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="REVISION",
            help="The id of the evaluator revision; by default the primary revision.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="The calibration's name; by default the names of the judge and the run.", show_default=False),
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(metavar="MIN..MAX", help="The range of labels in the file, such as 1..5.", show_default=False),
    ] = None,
    pass_mark: Annotated[
        float | None, typer.Option(help="The label from which an answer passes.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Measure a judge against labels of people: those of a file, or of a completed annotation task."""
    from llmbench_cli.client import with_client
    from llmbench_cli.console import terminal
    from llmbench_cli.errors import Refused
    from llmbench_cli.import_report import show_refusal
    from llmbench_cli.resources import print_json

    if (file is None) == (task is None):
        raise typer.BadParameter("name a file of labels or an annotation task", param_hint="LABELS.csv")
    given: Json = {"name": name, "evaluator_revision_id": judge, "pass_mark": pass_mark, "scale": _range(scale)}
    body = {key: value for key, value in given.items() if value is not None}

    async def create(client: "Client") -> Json:
        from llmbench_cli.runs.names import run_id

        if run is not None:
            body["run_id"] = await run_id(client, run)
        if task is not None:
            return await client.post(PATH, body | {"annotation_task_id": await _task_id(client, task)})
        assert file is not None
        with file.open("rb") as labels:
            return await client.upload(PATH, labels, name=file.name, fields={"request": json.dumps(body)})

    try:
        made = with_client(url, create)
    except Refused as refused:
        if "bad_rows" not in refused.problem:
            raise
        hint = "Correct the file, and send it again."
        show_refusal(terminal(stderr=True), refused.problem, file=str(file), hint=hint, done="measured")
        raise typer.Exit(ExitCode.FAILED) from None
    if as_json:
        print_json(made)
    else:
        _show(made)


@calibrations.command("show")
@asks("annotation-tasks:read")
def show_calibration(calibration: Calibration, *, as_json: AsJson = False, url: Url = None) -> None:
    """Show how far a judge agrees with people, and how far people agree with each other."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import print_json

    async def read(client: "Client") -> Json:
        return await client.get(await _path(client, calibration))

    found = with_client(url, read)
    if as_json:
        print_json(found)
    else:
        _show(found)


@calibrations.command("plan")
@asks("annotation-tasks:read")
def plan_calibration(  # noqa: PLR0913  # one parameter per option
    calibration: Calibration,
    *,
    precise: Annotated[float, typer.Option(metavar="WIDTH", help="Half the width of the interval.")] = 0.05,
    label_cost: Annotated[float, typer.Option(min=0, help="The cost of a label.")] = 1.0,
    judge_cost: Annotated[
        float | None,
        typer.Option(min=0, help="The cost of a verdict; by default the calibration's mean.", show_default=False),
    ] = None,
    answers: Annotated[
        int | None,
        typer.Option(min=2, help="The number of answers; by default that of the largest target.", show_default=False),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(min=0.000001, help="Also plan what this budget is best spent on.", show_default=False),
    ] = None,
    measure: Annotated[Measure, typer.Option(help="The figure to correct.")] = Measure.PASSES,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Plan how many answers people have to label to correct a judge's pass rate or mean score, and what people and
    judge cost. Costs have a unit of your choice."""
    from llmbench_cli.calibration_view import plan_lines
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import print_json, say

    given: Json = {"half_width": precise, "label_cost": label_cost, "judge_cost": judge_cost, "answers": answers}
    given |= {"budget": budget, "measure": measure.value}
    query = {key: value for key, value in given.items() if value is not None}

    async def read(client: "Client") -> Json:
        return await client.get(f"{await _path(client, calibration)}/plan", **query)

    planned = with_client(url, read)
    if as_json:
        print_json(planned)
        return
    for line in plan_lines(planned, width=precise, budget=budget):
        say(line)


@calibrations.command("rename")
@asks("annotation-tasks:update", "annotation-tasks:read")
def rename_calibration(
    calibration: Calibration,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.", show_default=False)],
    *,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Give a calibration another name."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import show_response

    async def rename(client: "Client") -> Json:
        return await client.patch(await _path(client, calibration), {"name": name})

    show_response(with_client(url, rename), f"✓ {calibration} is now {name}", as_json=as_json)


@calibrations.command("delete")
@asks("annotation-tasks:delete", "annotation-tasks:read")
def delete_calibration(calibration: Calibration, *, url: Url = None) -> None:
    """Delete a calibration with its copies of labels. The annotation task stays."""
    from llmbench_cli.client import with_client
    from llmbench_cli.resources import say

    async def remove(client: "Client") -> None:
        await client.delete(await _path(client, calibration))

    with_client(url, remove)
    say(f"✓ {calibration} is deleted")


def _show(calibration: Json) -> None:
    from llmbench_cli.calibration_view import figures_table, heading
    from llmbench_cli.console import terminal
    from llmbench_cli.safe_text import safe_json

    shown = safe_json(calibration)
    for line in heading(shown):
        terminal().print(line, markup=False, highlight=False)
    terminal().print(figures_table(shown))


def _range(scale: str | None) -> Json | None:
    if scale is None:
        return None
    low, _, high = scale.partition("..")
    try:
        return {"min": int(low), "max": int(high)}
    except ValueError:
        raise typer.BadParameter("write it as 1..5", param_hint="--scale") from None


async def _path(client: "Client", calibration: str) -> str:
    from llmbench_cli.resources import fail, is_id

    if is_id(calibration):
        return f"{PATH}/{calibration}"
    found = [each async for each in client.every(PATH) if each["name"] == calibration]
    if len(found) != 1:
        many = f"{len(found)} calibrations are called {calibration!r}: name one by its id"
        fail(many if found else f"there is no calibration {calibration!r}; `llmbench calibrations list` lists them")
    return f"{PATH}/{found[0]['id']}"


async def _task_id(client: "Client", task: str) -> str:
    from llmbench_cli.commands.annotation import task_path

    return (await task_path(client, task)).rpartition("/")[2]
