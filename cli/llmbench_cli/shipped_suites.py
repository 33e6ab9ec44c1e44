"""Read the suites that are shipped with the product, and add one of them to a platform with its datasets."""

import json
from importlib.resources import files
from io import BytesIO
from typing import Any

import yaml

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed

PATH = "/api/suites"
_CASE_FIELDS = ("id", "prompt", "checks")


def shipped_names() -> list[str]:
    """Return the names under which `shipped_suite` finds the suites."""
    folder = files("llmbench_cli") / "samples" / "suites"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def shipped_suite(name: str) -> Json:
    """Return the content of a shipped suite's file. Its field `suite` has the form of `POST /api/suites`, and
    `datasets` maps names of datasets to their cases. Raises `CommandFailed` for an unknown name."""
    if name not in shipped_names():
        raise CommandFailed(f"there is no shipped suite {name!r}; there are {', '.join(shipped_names())}")
    document: Json = yaml.safe_load((files("llmbench_cli") / "samples" / "suites" / f"{name}.yaml").read_text("utf-8"))
    return document


def row_of(case: Json) -> dict[str, Any]:
    """Return a case as a row of a dataset's file. Its right and wrong sample answers, which only the tests use, are
    left out."""
    row = {field: case[field] for field in _CASE_FIELDS if field in case}
    return row | ({"expected_output": case["expected"]} if "expected" in case else {})


async def add_shipped(client: Client, name: str) -> Json:
    """Add the suite and its datasets, and publish them. Return the response of `POST /api/suites/apply`.

    A dataset that has a published version is left unchanged, so a second call changes nothing.
    """
    shipped = shipped_suite(name)
    for dataset, cases in shipped["datasets"].items():
        await _have_dataset(client, dataset, cases)
    return await client.post(f"{PATH}/apply", {"suite": shipped["suite"], "publish": True})


async def _have_dataset(client: Client, name: str, cases: list[Json]) -> None:
    found = (await client.get("/v1/datasets", name=name))["datasets"]
    if found and found[0]["published_version"]:
        return
    made = found[0] if found else await client.post("/v1/datasets", {"name": name, "type": "BENCHMARK"})
    path = f"/v1/datasets/{made['dataset_id']}/versions"
    content = "".join(json.dumps(row_of(case), ensure_ascii=False) + "\n" for case in cases)
    version = await client.upload(path, BytesIO(content.encode()), name=f"{name}.jsonl")
    await client.post(f"{path}/{version['version_number']}/publish")
