"""`llmbench datasets …`: datasets and their versions, as `/v1/datasets` has them."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from llmbench_cli.resources import (
    asking,
    dataset_path,
    fail,
    made_dataset,
    print_json,
    said_by,
    say,
    tell,
    version_path,
)
from llmbench_cli.runs.options import AsJson, Url

# What config-api takes; a larger file would be sent in vain.
MAX_BYTES = 256 * 1024 * 1024

datasets = typer.Typer(help="Versioned test cases: upload, publish, sample, export.", no_args_is_help=True)
Dataset = Annotated[str, typer.Argument(help="The dataset's name or id.")]
Version = Annotated[int | None, typer.Option("--version", min=1, help="Its number; else the newest.")]


@datasets.command("list")
def list_datasets(
    *,
    type_: Annotated[str | None, typer.Option("--type", help="EVALUATION, BENCHMARK or GOLDEN_SET.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only those with this tag; may be repeated.")] = None,
    q: Annotated[str | None, typer.Option("--q", help="Part of the name.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many.")] = 20,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List datasets, newest first."""
    given: dict[str, Any] = {"type": type_, "tag": tag, "q": q, "limit": limit}
    with asking(url) as api:
        page = said_by(api.get("/v1/datasets", params={name: value for name, value in given.items() if value}))
    if as_json:
        print_json(page["datasets"])
        return
    for one in page["datasets"]:
        newest = f"v{one['latest_version']}, {one['row_count']} cases" if one["latest_version"] else "no version"
        published = f", v{one['published_version']} published" if one["published_version"] else ""
        say(f"{one['name']}  {one['type']}  {newest}{published}")
    if page["has_more"]:
        say(f"… {page['total']} in all")


@datasets.command("create")
def create_dataset(
    name: Annotated[str, typer.Argument(help="Unique among the datasets.")],
    *,
    description: Annotated[str | None, typer.Option(help="What it is for.")] = None,
    type_: Annotated[str, typer.Option("--type", help="EVALUATION, BENCHMARK or GOLDEN_SET.")] = "EVALUATION",
    tag: Annotated[list[str] | None, typer.Option(help="May be repeated.")] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create a dataset, without a version yet."""
    body = {"name": name, "description": description, "type": type_, "tags": tag or []}
    with asking(url) as api:
        made = said_by(api.post("/v1/datasets", json=body))
    tell(made, f"✓ Created {made['name']} ({made['dataset_id']})", as_json=as_json)


@datasets.command("upload")
def upload_version(  # noqa: PLR0913  # one parameter per option
    dataset: Dataset,
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="CSV, JSON, JSONL, Parquet, YAML.")
    ],
    *,
    format_: Annotated[str | None, typer.Option("--format", help="Else the file's name tells.")] = None,
    description: Annotated[str | None, typer.Option(help="What is new in this version.")] = None,
    create: Annotated[bool, typer.Option("--create", help="Create the dataset when there is none.")] = False,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", help="What a column is: answer=expected_output. May be repeated; else its name tells."),
    ] = None,
    publish: Annotated[bool, typer.Option("--publish", help="Publish the version at once.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Upload a file as the next version: all of it, or nothing when a row is bad (exit code 1)."""
    from rich.console import Console

    from llmbench_cli.import_report import show_columns, show_refusal
    from llmbench_cli.platform_api import problem_of

    if file.stat().st_size > MAX_BYTES:
        fail(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MiB; upload it in parts")
    with asking(url) as api:
        with made_dataset(api, dataset) if create else nullcontext(dataset_path(api, dataset)) as path:
            with file.open("rb") as content:
                answer = api.post(
                    f"{path}/versions",
                    files={"file": (file.name, content)},
                    data={"description": description} if description else {},
                    params={**({"format": format_} if format_ else {}), "map": map_ or []},
                )
            if answer.is_error:
                said = problem_of(answer)
                if as_json:
                    print_json(said)
                else:
                    show_refusal(Console(), said, file=str(file), hint="Correct them, and upload the file again.")
                raise typer.Exit(1)
        version = answer.json()
        if publish:
            version = said_by(api.post(f"{path}/versions/{version['version_number']}/publish"))
    if not as_json:
        show_columns(Console(stderr=True), version, file=str(file))
    what = f"version {version['version_number']} with {version['row_count']} cases, {version['status']}"
    tell(version, f"✓ Uploaded {what}", as_json=as_json)


@datasets.command("publish")
def publish_version(dataset: Dataset, *, version: Version = None, as_json: AsJson = False, url: Url = None) -> None:
    """Publish a version: runs may draw on it, and nothing in it changes any more."""
    with asking(url) as api:
        made = said_by(api.post(f"{version_path(api, dataset, version)}/publish"))
    tell(made, f"✓ Version {made['version_number']} is published ({made['version_id']})", as_json=as_json)


@datasets.command("sample")
def sample_cases(
    dataset: Dataset,
    size: Annotated[int, typer.Argument(min=1, help="How many cases.")],
    *,
    version: Version = None,
    by: Annotated[str | None, typer.Option(help="Stratified by this metadata field.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same cases.")] = None,
    url: Url = None,
) -> None:
    """Print a sample as JSON lines; the seed goes to the standard error."""
    body = {"size": size, "seed": seed, "strategy": "stratified" if by else "random", "stratify_by": by}
    with asking(url) as api:
        found = said_by(api.post(f"{version_path(api, dataset, version)}/sample", json=body))
    for case in found["cases"]:
        print(json.dumps(case, ensure_ascii=False))
    typer.echo(f"seed {found['seed']}", err=True)


@datasets.command("export")
def export_version(
    dataset: Dataset,
    *,
    version: Version = None,
    format_: Annotated[
        str | None, typer.Option("--format", "-f", help="csv, json, jsonl, parquet or ground-truth; else by the name.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", dir_okay=False, help="Where to; else the standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    url: Url = None,
) -> None:
    """Write a version's cases into a file that can be uploaded again."""
    from llmbench_cli.platform_api import problem_of
    from llmbench_cli.runs.sink import sink

    suffix = output.suffix.lower().lstrip(".") if output else "jsonl"
    name = format_ or {"yaml": "ground-truth", "yml": "ground-truth"}.get(suffix, suffix)
    with asking(url) as api:
        path = f"{version_path(api, dataset, version)}/export"
        with api.stream("GET", path, params={"format": name}) as answer:
            if answer.is_error:
                answer.read()
                fail(str(problem_of(answer)["detail"]))
            with sink(output, force=force) as put:
                for chunk in answer.iter_bytes():
                    put(chunk)
