"""The query parameters that the endpoints of comparisons share, and the dependencies of these endpoints."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Query

from llmbench.errors import FieldError, Problem
from orchestrator.comparison.ports.comparison import MOST_COLUMNS, ColumnRef, ComparisonReader
from orchestrator.kernel.api.query import clean_text
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.results.ports.queries import RunReader
from orchestrator.results.ports.schemas import RunSummary

ID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
COLUMN = re.compile(f"^({ID}):({ID})$")

Columns = Annotated[
    list[Annotated[str, Query(pattern=COLUMN.pattern)]],
    Query(
        alias="column",
        min_length=2,
        max_length=MOST_COLUMNS,
        description="`<run id>:<target id>`, repeated: the columns, in this order.",
    ),
]
ClusterKey = Annotated[
    str | None,
    Query(max_length=200, description="A metadata key of the cases: cases with the same value are one cluster."),
]
Index = Annotated[int, Query(ge=0, lt=MOST_COLUMNS, description="The column that the others are compared with.")]


@dataclass(frozen=True)
class ComparisonServices:
    """The dependencies of the endpoints, created when the service starts."""

    comparisons: ComparisonReader
    runs: RunReader


def key(cluster_by: str | None) -> str | None:
    return clean_text(cluster_by) or None


def column_refs(columns: Sequence[str], *, baseline: int, of: int | None = None) -> list[ColumnRef]:
    for name, index in (("baseline", baseline), ("of", of)):
        if index is not None and index >= len(columns):
            raise invalid(name, f"there is no column {index}: the first of the {len(columns)} is 0")
    if of == baseline:
        raise invalid("of", "the baseline has no difference to itself: name another column")
    matches = [COLUMN.fullmatch(column) for column in columns]
    return [ColumnRef(UUID(match[1]), UUID(match[2])) for match in matches if match]


def invalid(field: str, message: str) -> Problem:
    return Problem(422, "Invalid request", f"{field}: {message}", errors=[FieldError(field, message)])


async def require_runs(reader: RunReader, run_ids: Sequence[UUID], *, field: str) -> list[RunSummary]:
    """Return the runs with these ids, in this order. Raises a 404 `Problem` for an unknown run, and a 422 `Problem` if
    an id occurs twice. `field` is the field of the request that the 422 names."""
    for at, run_id in enumerate(run_ids):
        if run_id in run_ids[:at]:
            raise invalid(
                field,
                f"{run_id} is named twice: a run does not differ from itself. To see how often a gate would be a false "
                "alarm, check it on this run alone (`llmbench gate check`).",
            )
    runs = []
    for run_id in run_ids:
        summary = await reader.run(run_id)
        if summary is None:
            raise no_run(run_id)
        runs.append(summary)
    return runs
