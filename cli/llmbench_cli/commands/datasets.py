"""The commands `llmbench datasets …`: manage datasets and their versions through `/v1/datasets`."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.resources import dataset_path, fail, made_dataset, print_json, say, show_response, version_path
from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url

# The upload limit of config-api, checked here before a large file is sent.
MAX_BYTES = 256 * 1024 * 1024

datasets = typer.Typer(help="Versioned test cases: upload, publish, sample, export.", no_args_is_help=True)
Dataset = Annotated[str, typer.Argument(help="The dataset's name or id.")]
Version = Annotated[int | None, typer.Option("--version", min=1, help="The version's number; by default the newest.")]


@datasets.command("list")
@asks("datasets:read")
def list_datasets(
    *,
    type_: Annotated[str | None, typer.Option("--type", help="EVALUATION, BENCHMARK or GOLDEN_SET.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only those with this tag; may be repeated.")] = None,
    q: Annotated[str | None, typer.Option("--q", help="Part of the name.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="The maximum number of datasets.")] = 20,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List datasets, newest first."""
    from llmbench_cli.client import with_client

    given: dict[str, Any] = {"type": type_, "tag": tag, "q": q, "limit": limit}
    query = {name: value for name, value in given.items() if value}
    page = with_client(url, lambda client: client.get("/v1/datasets", **query))
    if as_json:
        print_json(page["datasets"])
        return
    for entry in page["datasets"]:
        newest = f"v{entry['latest_version']}, {entry['row_count']} cases" if entry["latest_version"] else "no version"
        published = f", v{entry['published_version']} published" if entry["published_version"] else ""
        say(f"{entry['name']}  {entry['type']}  {newest}{published}")
    if page["has_more"]:
        say(f"… {page['total']} in all")


@datasets.command("create")
@asks("datasets:create")
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
    from llmbench_cli.client import with_client

    body = {"name": name, "description": description, "type": type_, "tags": tag or []}
    made = with_client(url, lambda client: client.post("/v1/datasets", body))
    show_response(made, f"✓ Created {made['name']} ({made['dataset_id']})", as_json=as_json)


@datasets.command("upload")
@asks("datasets:create", "datasets:delete", "datasets:read")
def upload_version(  # noqa: PLR0913  # one parameter per option
    dataset: Dataset,
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="CSV, JSON, JSONL, Parquet, YAML.")
    ],
    *,
    format_: Annotated[str | None, typer.Option("--format", help="By default recognised by the file's name.")] = None,
    description: Annotated[str | None, typer.Option(help="What is new in this version.")] = None,
    create: Annotated[bool, typer.Option("--create", help="Create the dataset when there is none.")] = False,
    map_: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            help="Map a column: answer=expected_output. May be repeated; by default columns are recognised by name.",
        ),
    ] = None,
    publish: Annotated[bool, typer.Option("--publish", help="Publish the version at once.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Upload a file as the next version. If a row is bad, nothing is stored (exit code 1)."""
    from rich.console import Console

    from llmbench_cli.client import Client, Json, with_client
    from llmbench_cli.errors import Refused
    from llmbench_cli.import_report import show_columns, show_refusal

    if file.stat().st_size > MAX_BYTES:
        fail(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MiB; upload it in parts")
    query: Json = {**({"format": format_} if format_ else {}), "map": map_ or []}

    async def next_version(client: Client, path: str) -> Json:
        with file.open("rb") as content:
            fields = {"description": description}
            return await client.upload(f"{path}/versions", content, name=file.name, fields=fields, **query)

    async def upload(client: Client) -> Json:
        if create:
            async with made_dataset(client, dataset) as path:
                version = await next_version(client, path)
        else:
            path = await dataset_path(client, dataset)
            version = await next_version(client, path)
        if publish:
            version = await client.post(f"{path}/versions/{version['version_number']}/publish")
        return version

    try:
        version = with_client(url, upload)
    except Refused as refused:
        if as_json:
            print_json(refused.problem)
        else:
            hint = "Correct the file, and upload it again."
            show_refusal(Console(), refused.problem, file=str(file), hint=hint)
        raise typer.Exit(ExitCode.FAILED) from None
    if not as_json:
        show_columns(Console(stderr=True), version, file=str(file))
    what = f"version {version['version_number']} with {version['row_count']} cases, {version['status']}"
    show_response(version, f"✓ Uploaded {what}", as_json=as_json)


@datasets.command("publish")
@asks("datasets:create", "datasets:read")
def publish_version(dataset: Dataset, *, version: Version = None, as_json: AsJson = False, url: Url = None) -> None:
    """Publish a version, so that runs can use it. A published version cannot be changed."""
    from llmbench_cli.client import Client, Json, with_client

    async def publish(client: Client) -> Json:
        return await client.post(f"{await version_path(client, dataset, version)}/publish")

    made = with_client(url, publish)
    show_response(made, f"✓ Version {made['version_number']} is published ({made['version_id']})", as_json=as_json)


@datasets.command("sample")
@asks("datasets:read")
def sample_cases(
    dataset: Dataset,
    size: Annotated[int, typer.Argument(min=1, help="How many cases.")],
    *,
    version: Version = None,
    by: Annotated[str | None, typer.Option(help="Stratify the sample by this metadata field.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same cases.")] = None,
    url: Url = None,
) -> None:
    """Print a sample of a version's cases as JSON lines, and its seed on the standard error."""
    from llmbench_cli.client import Client, Json, with_client

    body = {"size": size, "seed": seed, "strategy": "stratified" if by else "random", "stratify_by": by}

    async def sample(client: Client) -> Json:
        return await client.post(f"{await version_path(client, dataset, version)}/sample", body)

    drawn = with_client(url, sample)
    for case in drawn["cases"]:
        print(json.dumps(case, ensure_ascii=False))
    typer.echo(f"seed {drawn['seed']}", err=True)


@datasets.command("export")
@asks("datasets:read")
def export_version(
    dataset: Dataset,
    *,
    version: Version = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format", "-f", help="csv, json, jsonl, parquet or ground-truth; by default the file's extension decides."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="The file to write; by default the standard output."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    url: Url = None,
) -> None:
    """Write a version's cases into a file that can be uploaded again."""
    from llmbench_cli.client import Client, with_client
    from llmbench_cli.runs.sink import sink

    suffix = output.suffix.lower().lstrip(".") if output else "jsonl"
    name = format_ or {"yaml": "ground-truth", "yml": "ground-truth"}.get(suffix, suffix)

    async def write(client: Client) -> None:
        path = f"{await version_path(client, dataset, version)}/export"
        async with client.stream(path, format=name) as chunks:
            with sink(output, force=force) as put:
                async for chunk in chunks:
                    put(chunk)

    with_client(url, write)
