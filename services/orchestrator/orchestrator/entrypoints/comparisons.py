"""`/api/comparisons`: targets of runs side by side, and their cases. `/v1/benchmarks/compare`: the verdicts."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from llmbench.errors import FieldError, Problem
from llmbench.thresholds import exceeds
from orchestrator.domain.comparison.verdicts import Verdict
from orchestrator.entrypoints import cursor as cursors
from orchestrator.entrypoints.filters import clean, clean_text
from orchestrator.entrypoints.ranking import ranked
from orchestrator.entrypoints.runs import Limit, Services, no_run
from orchestrator.handlers.compare import by_label, compare, compare_all, find_columns
from orchestrator.handlers.gate import check, gate
from orchestrator.ports.comparison import (
    MOST_COLUMNS,
    BenchmarksCompared,
    BenchmarkVerdict,
    CaseQuery,
    CaseSort,
    ColumnRef,
    CompareBenchmarks,
    ComparedCases,
    Comparison,
    Show,
)
from orchestrator.ports.figure_schemas import Interval
from orchestrator.ports.gates import CheckGate, GateChecked
from orchestrator.ports.schemas import RunSummary

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
ClusterKey = Annotated[
    str | None,
    Query(max_length=200, description="A metadata key of the cases: those of one value are one cluster."),
]
Index = Annotated[int, Query(ge=0, lt=MOST_COLUMNS, description="The column that the others are compared with.")]


def router(services: Callable[[], Services]) -> APIRouter:
    api = APIRouter(tags=["comparisons"])

    @api.get("/api/comparisons", operation_id="compareColumns")
    async def compare_columns(columns: Columns, baseline: Index = 0, cluster_by: ClusterKey = None) -> Comparison:
        """Figures of each column, and each but the baseline against it: paired by case. Names the winner."""
        refs = _refs(columns, baseline=baseline)
        reader = services().comparisons
        found = await find_columns(reader, refs)
        return await compare(reader, found, baseline=baseline, cluster_by=_key(cluster_by))

    @api.get("/api/comparisons/cases", operation_id="listComparedCases")
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

    @api.post("/v1/benchmarks/compare", operation_id="compareBenchmarks")
    async def compare_benchmarks(body: CompareBenchmarks) -> BenchmarksCompared:
        """The verdicts alone, for programs: what is better, worse or not separable, whether anything regressed, which
        run wins, and what a gate says. A gate of a run that goes on is a 409; one that cannot decide is a 422."""
        reader = services().comparisons
        if body.columns is not None:
            sets = [[ColumnRef(one.run_id, one.target_id) for one in body.columns]]
        else:
            run_ids = body.run_ids or []
            _no_run_twice(run_ids)
            sets = by_label([await _run(id_) for id_ in run_ids], baseline=body.baseline)
        columns = [await find_columns(reader, refs) for refs in sets]
        cluster_by = _key(body.cluster_by)
        gated = (
            await gate(reader, columns, body.gate, baseline=body.baseline, cluster_by=cluster_by) if body.gate else None
        )
        compared = await compare_all(reader, columns, baseline=body.baseline, cluster_by=cluster_by)
        found = [BenchmarkVerdict(**one.model_dump(), regressed=_regressed(one, body.margin)) for one, _ in compared]
        return BenchmarksCompared(
            margin=body.margin,
            regressed=any(one.regressed for one in found),
            gate=gated,
            comparisons=found,
            **ranked([standing for _, standing in compared]),
        )

    @api.post("/v1/benchmarks/check-gate", operation_id="checkGate")
    async def check_gate(body: CheckGate) -> GateChecked:
        """A gate tried on a baseline alone: how often an unchanged model would be fine, and how often a false alarm."""
        run = await _run(body.run_id)
        targets = [target for target in run.targets if body.target_id in (None, target.id)]
        if not targets:
            raise Problem(404, "No such column", f"There is no target {body.target_id} in a run {body.run_id}.")
        reader = services().comparisons
        columns = await find_columns(reader, [ColumnRef(run.id, target.id) for target in targets])
        named, checked = await check(reader, columns, body.gate, cluster_by=_key(body.cluster_by))
        return GateChecked(
            run_id=run.id,
            run_name=run.name,
            metric=named.name,
            title=named.title,
            relative=named.relative,
            margin=body.gate.margin,
            holds=all(one.holds for one in checked),
            targets=checked,
        )

    async def _run(run_id: UUID) -> RunSummary:
        summary = await services().runs.run(run_id)
        if summary is None:
            raise no_run(run_id)
        return summary

    return api


def _regressed(found: Comparison, margin: float) -> list[str]:
    """The labels of those that are worse, and for certain by more than the margin."""
    return [
        found.columns[one.column].label
        for one in found.comparisons
        if one.score and one.score.verdict is Verdict.WORSE and _beyond(one.score.simultaneous, margin)
    ]


def _beyond(interval: Interval | None, margin: float) -> bool:
    return interval is not None and exceeds(-interval.high, margin)


def _no_run_twice(run_ids: Sequence[UUID]) -> None:
    for at, run_id in enumerate(run_ids):
        if run_id in run_ids[:at]:
            raise _invalid(
                "run_ids",
                f"{run_id} is named twice: a run is no different from itself. To see how often a gate would be a false "
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
    found = [_COLUMN.fullmatch(column) for column in columns]
    return [ColumnRef(UUID(match[1]), UUID(match[2])) for match in found if match]


def _invalid(field: str, message: str) -> Problem:
    return Problem(422, "Invalid request", f"{field}: {message}", errors=[FieldError(field, message)])
