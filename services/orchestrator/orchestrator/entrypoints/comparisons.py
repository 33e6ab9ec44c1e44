"""`/api/comparisons`: columns (targets of runs) side by side, and their cases."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from llmbench.errors import FieldError, Problem
from orchestrator.entrypoints import cursor as cursors
from orchestrator.entrypoints.filters import clean, clean_text
from orchestrator.entrypoints.runs import Limit, Services
from orchestrator.handlers.compare import compare, find_columns
from orchestrator.ports.comparison import (
    MOST_COLUMNS,
    CaseQuery,
    CaseSort,
    ColumnRef,
    ComparedCases,
    Comparison,
    Show,
)

_ID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_COLUMN = re.compile(f"^({_ID}):({_ID})$")

Columns = Annotated[
    list[Annotated[str, Query(pattern=_COLUMN.pattern)]],
    Query(
        alias="column",
        min_length=2,
        max_length=MOST_COLUMNS,
        description="`<run id>:<target id>`, repeated: what is compared, in this order.",
    ),
]
Index = Annotated[int, Query(ge=0, lt=MOST_COLUMNS, description="The column that the others are compared with.")]


def router(services: Callable[[], Services]) -> APIRouter:
    api = APIRouter(prefix="/api/comparisons", tags=["comparisons"])

    @api.get("", operation_id="compareColumns")
    async def compare_columns(columns: Columns, baseline: Index = 0) -> Comparison:
        """Figures of each column, and each but the baseline against it: paired by case."""
        refs = _refs(columns, baseline=baseline)
        reader = services().comparisons
        return await compare(reader, await find_columns(reader, refs), baseline=baseline)

    @api.get("/cases", operation_id="listComparedCases")
    async def list_cases(  # noqa: PLR0913  # one parameter per field of the query
        columns: Columns,
        baseline: Index = 0,
        of: Annotated[
            int | None,
            Query(ge=0, lt=MOST_COLUMNS, description="The one column that `show` and `sort` look at; else all."),
        ] = None,
        show: Show = Show.ALL,
        category: Annotated[list[Annotated[str, Query(max_length=255)]] | None, Query(max_length=100)] = None,
        q: Annotated[str | None, Query(max_length=500, description="In task id, question, answer or reason.")] = None,
        sort: Annotated[
            CaseSort, Query(description="`-delta`: greatest difference first; those without one come last.")
        ] = "position",
        limit: Limit = 100,
        cursor: str | None = None,
    ) -> ComparedCases:
        """Case by case, one cell per column. Whole answers are with the items."""
        refs = _refs(columns, baseline=baseline, of=of)
        query = CaseQuery(
            baseline=baseline,
            of=of,
            show=show,
            sort=sort,
            categories=clean(category),
            text=clean_text(q),
            after=cursors.case_cursor(cursor, sort),
            limit=limit + 1,
        )
        reader = services().comparisons
        found = await reader.cases(await find_columns(reader, refs), query)
        last = found.cases[limit - 1][0] if len(found.cases) > limit else None
        return ComparedCases(
            items=[case for _, case in found.cases[:limit]],
            total=found.total,
            next_cursor=cursors.case_place(last, sort) if last else None,
        )

    return api


def _refs(columns: Sequence[str], *, baseline: int, of: int | None = None) -> list[ColumnRef]:
    for name, index in (("baseline", baseline), ("of", of)):
        if index is not None and index >= len(columns):
            raise _invalid(name, f"there is no column {index}: the first of the {len(columns)} is 0")
    if of == baseline:
        raise _invalid("of", "the baseline has no difference to itself: name another column")
    found = [_COLUMN.fullmatch(column) for column in columns]
    return [ColumnRef(UUID(match[1]), UUID(match[2])) for match in found if match]


def _invalid(field: str, message: str) -> Problem:
    return Problem(422, "Invalid request", f"{field}: {message}", errors=[FieldError(field, message)])
