"""Make a suite and its dataset from a benchmark's file, through the platform's API."""

import json
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from llmbench_cli.errors import CommandFailed
from llmbench_cli.recipes.base import BadRow, Recipe, Row, Skipped
from llmbench_cli.recipes.read import rows_of

if TYPE_CHECKING:
    from llmbench_cli.client import Client, Json

MOST_SHOWN: Final = 20


class NotAsPublished(CommandFailed):
    """Raised for a file with rows that are not in the published form. `faults` has a message for each of the first 20
    such rows."""

    def __init__(self, message: str, faults: list[str]) -> None:
        super().__init__(message)
        self.faults = faults[:MOST_SHOWN]


@dataclass
class Cases:
    """The cases of a file, and the number of rows that became no case, by reason."""

    rows: int = 0
    cases: "list[Json]" = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def notes(self) -> list[str]:
        """Return a list with a sentence about the rows that were left out; an empty list if there are none."""
        if not self.skipped:
            return []
        left_out = sum(self.skipped.values())
        reasons = "; ".join(f"{count:,}: {reason}" for reason, count in self.skipped.most_common())
        return [f"Left out: {left_out:,} of {self.rows:,} rows ({reasons})."]


def cases_of(recipe: Recipe, file: Path) -> Cases:
    """Return the cases of a file in the benchmark's published form. Raises `CommandFailed` if a row is not in this
    form, or if no row becomes a case."""
    made = Cases()
    faults: list[str] = []
    for number, fields in enumerate(rows_of(file, recipe.header), start=1):
        made.rows = number
        try:
            case = recipe.convert(Row(number, fields, file.stem))
        except BadRow as bad:
            faults.append(f"row {number}: {bad}")
            continue
        if isinstance(case, Skipped):
            made.skipped[case.reason] += 1
            continue
        try:
            _line(case)
        except ValueError as error:
            faults.append(f"row {number}: it cannot be sent: {error}")
        else:
            made.cases.append(case)
    if faults:
        raise NotAsPublished(
            f"{len(faults):,} of {made.rows:,} rows of {file} are not {recipe.title} as published ({recipe.files}); "
            "nothing was made",
            faults,
        )
    if not made.cases:
        raise CommandFailed(" ".join([f"{file} has no case for {recipe.title}.", *made.notes()]))
    return made


def suite_of(recipe: Recipe, cases: Cases, *, name: str, version: int, size: int | None, seed: int | None) -> "Json":
    """Return the recipe's suite in the form of `POST /api/suites`. Its only task asks the cases of version `version` of
    the dataset `name`, or a random sample of `size` cases."""
    task: Json = {
        "name": recipe.name,
        "category": recipe.category,
        "source": {"dataset": name, "version": version},
        "evaluators": list(recipe.evaluators),
        "params": recipe.params,
    }
    if size is not None:
        task["sample"] = {"size": size, "strategy": "random", **({} if seed is None else {"seed": seed})}
    return {"name": name, "description": recipe.description(cases.notes()), "aggregation": "mean", "tasks": [task]}


async def make_suite(
    client: "Client",
    recipe: Recipe,
    cases: Cases,
    *,
    name: str,
    size: int | None = None,
    seed: int | None = None,
    publish: bool = False,
) -> "Json":
    """Make the dataset and the suite, and return what `POST /api/suites/apply` returns.

    The dataset's version is always published, because a suite needs that; `publish` is for the suite. A second call
    with the same arguments changes nothing. A dataset that was created here is deleted again if no suite can be made.
    """
    found = (await client.get("/v1/datasets", name=name))["datasets"]
    dataset = found[0] if found else await client.post("/v1/datasets", {"name": name, "type": "BENCHMARK"})
    try:
        version = await _have_version(client, dataset, cases)
        suite = suite_of(recipe, cases, name=name, version=version, size=size, seed=seed)
        return await client.post("/api/suites/apply", {"suite": suite, "publish": publish})
    except BaseException:
        if not found:
            await client.delete(f"/v1/datasets/{dataset['dataset_id']}")
        raise


async def _have_version(client: "Client", dataset: "Json", cases: Cases) -> int:
    """Return the number of the dataset's published version with these cases. Create the version if it is missing."""
    path = f"/v1/datasets/{dataset['dataset_id']}/versions"
    content = b"".join(map(_line, cases.cases))
    uploaded: dict[str, Any] = await client.upload(path, BytesIO(content), name="cases.jsonl")
    known = dataset.get("published_version")
    if known:
        published = await client.get(f"{path}/{known}")
        if published["content_hash"] == uploaded["content_hash"] and published["status"] == "PUBLISHED":
            await client.delete(f"{path}/{uploaded['version_number']}")
            return int(known)
    await client.post(f"{path}/{uploaded['version_number']}/publish")
    return int(uploaded["version_number"])


def _line(case: "Json") -> bytes:
    """Return a case as a line of JSON. Raises `ValueError` for half a character (a lone surrogate) and for NaN, which
    Python reads from JSON."""
    return json.dumps(case, ensure_ascii=False, allow_nan=False).encode() + b"\n"
