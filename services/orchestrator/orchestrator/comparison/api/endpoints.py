"""The endpoints that compare targets of runs: `/api/comparisons` for pages, `/v1/benchmarks/…` for scripts."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Query

from llmbench.access import Resource, Verb
from llmbench.errors import FieldError, Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from llmbench.thresholds import exceeds
from orchestrator.comparison.api import cursors
from orchestrator.comparison.api.answers import (
    BenchmarksCompared,
    BenchmarkVerdict,
    ComparedCases,
    GateChecked,
    RunVerdict,
)
from orchestrator.comparison.api.bodies import CheckGate, CompareBenchmarks
from orchestrator.comparison.api.ranking import ranked
from orchestrator.comparison.domain.verdicts import Verdict
from orchestrator.comparison.handlers.check_gate import check
from orchestrator.comparison.handlers.compare import compare, compare_all
from orchestrator.comparison.handlers.find_columns import PairedRuns, find_columns, pair_runs
from orchestrator.comparison.handlers.gate import gate
from orchestrator.comparison.ports.comparison import (
    MOST_COLUMNS,
    CaseQuery,
    CaseSort,
    ColumnRef,
    Comparison,
    ComparisonReader,
    ScoreComparison,
    Show,
)
from orchestrator.kernel.api.query import CursorText, Limit, clean, clean_text
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.results.ports.figure_schemas import Interval
from orchestrator.results.ports.queries import RunReader
from orchestrator.results.ports.schemas import RunSummary

_ID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_COLUMN = re.compile(f"^({_ID}):({_ID})$")

Columns = Annotated[
    list[Annotated[str, Query(pattern=_COLUMN.pattern)]],
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


_MISSING = answers(404, "There is no such run, or the run has no such target.")
_GOES_ON = _MISSING | answers(409, "A run of the gate is still active.")


@dataclass(frozen=True)
class ComparisonServices:
    """The dependencies of the endpoints, created when the service starts."""

    comparisons: ComparisonReader
    runs: RunReader


def router(services: Callable[[], ComparisonServices]) -> ServiceRouter:
    api = ServiceRouter(tags=["comparisons"], resource=Resource.RUNS)

    @api.get("/api/comparisons", operation_id="compareColumns", responses=_MISSING)
    async def compare_columns(columns: Columns, baseline: Index = 0, cluster_by: ClusterKey = None) -> Comparison:
        """Return the statistics of each column, the comparison of each with the baseline over the same cases, and the
        winner."""
        refs = _refs(columns, baseline=baseline)
        reader = services().comparisons
        found = await find_columns(reader, refs)
        return await compare(reader, found, baseline=baseline, cluster_by=_key(cluster_by))

    @api.get("/api/comparisons/cases", operation_id="listComparedCases", responses=_MISSING)
    async def list_cases(  # noqa: PLR0913  # one parameter per field of the query
        columns: Columns,
        baseline: Index = 0,
        of: Annotated[
            int | None,
            Query(ge=0, lt=MOST_COLUMNS, description="The one column that `show` and `sort` look at; else all."),
        ] = None,
        show: Show = Show.ALL,
        category: Annotated[list[Annotated[str, Query(max_length=255)]] | None, Query(max_length=100)] = None,
        q: Annotated[
            str | None, Query(max_length=500, description="Searched in task id, question, answer and reason.")
        ] = None,
        sort: Annotated[
            CaseSort, Query(description="`-delta`: greatest difference first; those without one come last.")
        ] = "position",
        limit: Limit = 100,
        cursor: CursorText = None,
    ) -> ComparedCases:
        """List cases with one cell per column. Answers are shortened; `GET /api/runs/{id}/items/{item_id}` has them in
        full."""
        refs = _refs(columns, baseline=baseline, of=of)
        query = CaseQuery(
            baseline=baseline,
            column=of,
            show=show,
            sort=sort,
            categories=clean(category),
            text=clean_text(q),
            after=cursors.case_cursor(cursor, sort),
            limit=limit + 1,
        )
        reader = services().comparisons
        page = await reader.cases(await find_columns(reader, refs), query)
        last = page.cases[limit - 1][0] if len(page.cases) > limit else None
        return ComparedCases(
            items=[case for _, case in page.cases[:limit]],
            total=page.total,
            next_cursor=cursors.case_place(last, sort) if last else None,
        )

    @api.post(
        "/v1/benchmarks/compare",
        operation_id="compareBenchmarks",
        responses=_GOES_ON,
        openapi_extra=needs(Verb.READ),
    )
    async def compare_benchmarks(body: CompareBenchmarks) -> BenchmarksCompared:
        """Compare runs, for use in scripts: verdicts (better, worse or not separable), regressions, the winner, and a
        gate's result.

        With a gate, the response is 409 while a run is still active. It is 422 if the gate cannot be used, for example
        because there are too few cases for a decision (see `force`).
        """
        reader = services().comparisons
        paired = await _paired(body)
        columns = [await find_columns(reader, refs) for refs in paired.sets]
        cluster_by = _key(body.cluster_by)
        gated = (
            await gate(reader, columns, body.gate.wanted(), baseline=body.baseline, cluster_by=cluster_by)
            if body.gate
            else None
        )
        compared = await compare_all(
            reader,
            columns,
            baseline=body.baseline,
            cluster_by=cluster_by,
            paired_by=None if body.run_ids is None else paired.paired_by,
        )
        benchmark_verdicts = [
            BenchmarkVerdict(**comparison.model_dump(), regressed=_regressed(comparison, body.margin))
            for comparison in compared.comparisons
        ]
        runs = [RunVerdict(**run.model_dump(), regressed=_is_worse(run.score, body.margin)) for run in compared.runs]
        return BenchmarksCompared(
            margin=body.margin,
            regressed=any(verdict.regressed for verdict in benchmark_verdicts)
            or any(verdict.regressed for verdict in runs),
            gate=gated,
            comparisons=benchmark_verdicts,
            runs=runs,
            unpaired=list(paired.unpaired),
            **ranked(compared.standings),
        )

    @api.post("/v1/benchmarks/check-gate", operation_id="checkGate", responses=_GOES_ON, openapi_extra=needs(Verb.READ))
    async def check_gate(body: CheckGate) -> GateChecked:
        """Try a gate on a baseline alone, by comparing the baseline with itself many times.

        Return how often the gate would find an unchanged model fine, and how often it would give a false alarm.
        """
        run = await _run(body.run_id)
        targets = [target for target in run.targets if body.target_id in (None, target.id)]
        if not targets:
            raise Problem(404, "No such column", f"There is no target {body.target_id} in a run {body.run_id}.")
        reader = services().comparisons
        columns = await find_columns(reader, [ColumnRef(run.id, target.id) for target in targets])
        named, checked = await check(reader, columns, body.gate.wanted(), cluster_by=_key(body.cluster_by))
        return GateChecked(
            run_id=run.id,
            run_name=run.name,
            metric=named.name,
            title=named.title,
            relative=named.relative,
            margin=body.gate.margin,
            holds=all(check.holds for check in checked),
            targets=checked,
        )

    async def _paired(body: CompareBenchmarks) -> PairedRuns:
        if body.run_ids is None:
            return PairedRuns([[ColumnRef(column.run_id, column.target_id) for column in body.columns or ()]])
        _no_run_twice(body.run_ids)
        runs = [await _run(id_) for id_ in body.run_ids]
        return pair_runs(
            runs, baseline=body.baseline, by_hand=[(pair.baseline_target_id, pair.target_id) for pair in body.pairs]
        )

    async def _run(run_id: UUID) -> RunSummary:
        summary = await services().runs.run(run_id)
        if summary is None:
            raise no_run(run_id)
        return summary

    return api


def _regressed(verdict: Comparison, margin: float) -> list[str]:
    """Return the labels of columns that are certainly worse by more than the margin."""
    return [
        verdict.columns[comparison.column].label
        for comparison in verdict.comparisons
        if _is_worse(comparison.score, margin)
    ]


def _is_worse(score: ScoreComparison | None, margin: float) -> bool:
    return score is not None and score.verdict is Verdict.WORSE and _beyond(score.simultaneous, margin)


def _beyond(interval: Interval | None, margin: float) -> bool:
    return interval is not None and exceeds(-interval.high, margin)


def _no_run_twice(run_ids: Sequence[UUID]) -> None:
    for at, run_id in enumerate(run_ids):
        if run_id in run_ids[:at]:
            raise _invalid(
                "run_ids",
                f"{run_id} is named twice: a run does not differ from itself. To see how often a gate would be a false "
                "alarm, check it on this run alone (`llmbench gate check`).",
            )


def _key(cluster_by: str | None) -> str | None:
    return clean_text(cluster_by) or None


def _refs(columns: Sequence[str], *, baseline: int, of: int | None = None) -> list[ColumnRef]:
    for name, index in (("baseline", baseline), ("of", of)):
        if index is not None and index >= len(columns):
            raise _invalid(name, f"there is no column {index}: the first of the {len(columns)} is 0")
    if of == baseline:
        raise _invalid("of", "the baseline has no difference to itself: name another column")
    matches = [_COLUMN.fullmatch(column) for column in columns]
    return [ColumnRef(UUID(match[1]), UUID(match[2])) for match in matches if match]


def _invalid(field: str, message: str) -> Problem:
    return Problem(422, "Invalid request", f"{field}: {message}", errors=[FieldError(field, message)])
