"""The endpoints `/api/comparisons/cases…`: the compared cases, as pages of a list and as a CSV file."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.comparison.api import cursors
from orchestrator.comparison.api.answers import ComparedCases
from orchestrator.comparison.api.query import Columns, ComparisonServices, Index, column_refs, invalid
from orchestrator.comparison.handlers.export_cases import write
from orchestrator.comparison.handlers.find_columns import find_columns
from orchestrator.comparison.ports.cases import CaseQuery, CaseSort, Show
from orchestrator.comparison.ports.comparison import MOST_COLUMNS, ColumnRef
from orchestrator.comparison.ports.maps import ScoreBin
from orchestrator.kernel.api.query import CursorText, Limit, clean, clean_text
from orchestrator.results.exports.record import chunked

_BIN = re.compile(r"^([0-9]|1[0-9]|20):([0-9]|1[0-9]|20)$")
_MISSING = answers(404, "There is no such run, or the run has no such target.")


@dataclass(frozen=True)
class ChosenCases:
    """The columns (targets of runs) and the cases that a request chooses."""

    refs: Sequence[ColumnRef]
    query: CaseQuery


def _chosen_cases(  # one parameter per field of the query
    columns: Columns,
    baseline: Index = 0,
    of: Annotated[
        int | None,
        Query(ge=0, lt=MOST_COLUMNS, description="The only column for `show` and `sort`; by default all."),
    ] = None,
    show: Annotated[
        Show,
        Query(
            description="The cases to list: `gained` passes here and not in the baseline, `lost` only in the baseline."
        ),
    ] = Show.ALL,
    category: Annotated[list[Annotated[str, Query(max_length=255)]] | None, Query(max_length=100)] = None,
    q: Annotated[
        str | None, Query(max_length=500, description="Searched in task id, question, answer and reason.")
    ] = None,
    sort: Annotated[
        CaseSort,
        Query(
            description="`-delta`: the greatest difference first; cases without a difference come last. `group`: "
            "worse cases, then better, equal and missing ones."
        ),
    ] = "position",
    bin: Annotated[
        str | None,
        Query(
            pattern=_BIN.pattern,
            description="Only cases of one bin of `/api/comparisons/scores`: `<baseline bin>:<bin of the other>`. "
            "With more than two columns, `of` has to name the other one.",
        ),
    ] = None,
) -> ChosenCases:
    refs = column_refs(columns, baseline=baseline, of=of)
    query = CaseQuery(
        baseline=baseline,
        column=of,
        show=show,
        sort=sort,
        categories=clean(category),
        text=clean_text(q),
        bin=_bin(bin, columns=len(refs), of=of),
    )
    return ChosenCases(refs, query)


Chosen = Annotated[ChosenCases, Depends(_chosen_cases)]


def add_cases(api: ServiceRouter, services: Callable[[], ComparisonServices]) -> None:
    """Add the endpoints of compared cases to the router `api`. They call `services` at each request to get their
    dependencies."""

    @api.get("/api/comparisons/cases", operation_id="listComparedCases", responses=_MISSING)
    async def list_cases(chosen: Chosen, limit: Limit = 100, cursor: CursorText = None) -> ComparedCases:
        """List the compared cases. Each has one cell per column (a target of a run), with its answer and score. Answers
        are shortened; `GET /api/runs/{id}/items/{item_id}` returns the full answer."""
        sort = chosen.query.sort
        query = replace(chosen.query, after=cursors.case_cursor(cursor, sort), limit=limit + 1)
        reader = services().comparisons
        page = await reader.cases(await find_columns(reader, chosen.refs), query)
        last = page.cases[limit - 1][0] if len(page.cases) > limit else None
        return ComparedCases(
            items=[case for _, case in page.cases[:limit]],
            total=page.total,
            groups=page.groups,
            next_cursor=cursors.case_place(last, sort) if last else None,
        )

    @api.get(
        "/api/comparisons/cases/export",
        operation_id="exportComparedCases",
        response_class=StreamingResponse,
        responses=_MISSING
        | {200: {"description": "The cases, streamed", "content": {"text/csv": {"schema": {"type": "string"}}}}},
    )
    async def export_cases(chosen: Chosen) -> StreamingResponse:
        """Export the cases that the filters choose as CSV, one line per case, in the order of `sort`.

        After `task_id`, `category` and `question` come the values of each column (a target of a run): `status`,
        `score`, `score_normalised`, `passed` and the full `answer`. All columns but the baseline have `difference`, the
        difference from the baseline's `score_normalised`. The names of these values begin with the column's label and a
        dot. A text that a spreadsheet would run as a formula begins with a quote.
        """
        reader = services().comparisons
        columns = await find_columns(reader, chosen.refs)
        return StreamingResponse(
            chunked(write(reader, columns, chosen.query)),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="compared-cases.csv"'},
        )


def _bin(given: str | None, *, columns: int, of: int | None) -> ScoreBin | None:
    match = _BIN.fullmatch(given or "")
    if match is None:
        return None
    if columns > 2 and of is None:
        raise invalid("bin", "a bin is of one column: name it with `of`")
    return ScoreBin(baseline=int(match[1]), here=int(match[2]))
