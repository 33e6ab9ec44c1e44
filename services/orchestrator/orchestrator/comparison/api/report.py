"""The endpoint `/api/comparisons/report`: a comparison as one HTML file."""

import re
from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from fastapi import Query
from fastapi.responses import StreamingResponse

from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.comparison.api.bodies import MOST_PAIRS
from orchestrator.comparison.api.query import (
    COLUMN,
    ID,
    ClusterKey,
    ComparisonServices,
    column_refs,
    invalid,
    key,
    require_runs,
)
from orchestrator.comparison.handlers.compare import compare_all
from orchestrator.comparison.handlers.find_columns import PairedRuns, find_columns, pair_runs
from orchestrator.comparison.handlers.report import Compared, write
from orchestrator.comparison.ports.comparison import MOST_COLUMNS, ColumnRef
from orchestrator.results.domain.judge_agreement import JudgeAgreement
from orchestrator.results.exports.record import chunked

_PAIR = re.compile(f"^({ID}):({ID})$")

Columns = Annotated[
    list[Annotated[str, Query(pattern=COLUMN.pattern)]] | None,
    Query(
        alias="column",
        min_length=2,
        max_length=MOST_COLUMNS,
        description="`<run id>:<target id>`, repeated: the columns, in this order.",
    ),
]
Runs = Annotated[
    list[UUID] | None,
    Query(
        alias="run",
        min_length=2,
        max_length=MOST_COLUMNS,
        description="Instead of `column`: the runs, whose targets are paired.",
    ),
]
Pairs = Annotated[
    list[Annotated[str, Query(pattern=_PAIR.pattern)]] | None,
    Query(
        alias="pair",
        max_length=MOST_PAIRS,
        description="`<target id of the baseline>:<target id of the other run>`, repeated: targets of two runs that "
        "are paired by hand.",
    ),
]
Index = Annotated[int, Query(ge=0, lt=MOST_COLUMNS, description="The column or run that the others are compared with.")]


def add_report(api: ServiceRouter, services: Callable[[], ComparisonServices]) -> None:
    """Add the endpoint `/api/comparisons/report` to the router `api`. It calls `services` at each request to get its
    dependencies."""

    @api.get(
        "/api/comparisons/report",
        operation_id="reportComparison",
        response_class=StreamingResponse,
        responses=answers(404, "There is no such run, or the run has no such target.")
        | {200: {"description": "The report", "content": {"text/html": {"schema": {"type": "string"}}}}},
    )
    async def report_comparison(  # one parameter per part of the query
        columns: Columns = None,
        runs: Runs = None,
        pairs: Pairs = None,
        baseline: Index = 0,
        cluster_by: ClusterKey = None,
    ) -> StreamingResponse:
        """Return the comparison as one HTML file to read, send or print.

        The verdicts come first, in sentences. Then come the figures, and for each comparison up to 200 cases: the 100
        with the greatest loss and the 100 with the greatest gain.
        """
        if (columns is None) == (runs is None):
            raise invalid("column", "name the columns, or name runs with `run`; not both")
        paired = (
            await _paired(runs or (), pairs or (), baseline)
            if columns is None
            else PairedRuns([column_refs(columns, baseline=baseline)])
        )
        reader = services().comparisons
        sets = [await find_columns(reader, refs) for refs in paired.sets]
        verdicts = await compare_all(
            reader,
            sets,
            baseline=baseline,
            cluster_by=key(cluster_by),
            categories=False,
            paired_by=None if runs is None else paired.paired_by,
        )
        compared = Compared(sets, baseline, verdicts, paired.unpaired, await _judges(paired))
        return StreamingResponse(
            chunked(write(reader, compared)),
            media_type="text/html; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="comparison.html"'},
        )

    async def _paired(runs: list[UUID] | tuple[()], pairs: list[str] | tuple[()], baseline: int) -> PairedRuns:
        if baseline >= len(runs):
            raise invalid("baseline", f"there is no run {baseline}: the first of the {len(runs)} is 0")
        matches = [_PAIR.fullmatch(pair) for pair in pairs]
        by_hand = [(UUID(match[1]), UUID(match[2])) for match in matches if match]
        found = await require_runs(services().runs, runs, field="run")
        return pair_runs(found, baseline=baseline, by_hand=by_hand)

    async def _judges(paired: PairedRuns) -> list[JudgeAgreement]:
        """Return how far each judge of the compared runs agrees with people. Judges with the same name and agreement,
        such as one judge of several runs, are returned once."""
        refs: list[ColumnRef] = [ref for refs in paired.sets for ref in refs]
        judges: dict[str, JudgeAgreement] = {}
        for run_id in dict.fromkeys(ref.run_id for ref in refs):
            for judge in await services().runs.judges(run_id):
                judges.setdefault(judge.in_words(), judge)
        return list(judges.values())
