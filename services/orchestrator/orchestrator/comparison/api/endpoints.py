"""The endpoints that compare targets of runs: `/api/comparisons` for pages, `/v1/benchmarks/…` for scripts."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Query

from llmbench.access import Resource, Verb
from llmbench.errors import Problem
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter, needs
from llmbench.thresholds import exceeds
from orchestrator.comparison.api.answers import (
    BenchmarksCompared,
    BenchmarkVerdict,
    GateChecked,
    RunVerdict,
)
from orchestrator.comparison.api.bodies import CheckGate, CompareBenchmarks
from orchestrator.comparison.api.cases import add_cases
from orchestrator.comparison.api.query import (
    ClusterKey,
    Columns,
    ComparisonServices,
    Index,
    column_refs,
    key,
    require_runs,
)
from orchestrator.comparison.api.ranking import ranked
from orchestrator.comparison.api.report import add_report
from orchestrator.comparison.domain.verdicts import Verdict
from orchestrator.comparison.handlers.check_gate import check
from orchestrator.comparison.handlers.compare import compare, compare_all
from orchestrator.comparison.handlers.find_columns import PairedRuns, find_columns, pair_runs
from orchestrator.comparison.handlers.gate import gate
from orchestrator.comparison.ports.comparison import (
    MOST_COLUMNS,
    ColumnRef,
    Comparison,
    ScoreComparison,
)
from orchestrator.comparison.ports.maps import MOST_CATEGORIES, CategoryMap, ScorePairs
from orchestrator.results.ports.figure_schemas import Interval

_MISSING = answers(404, "There is no such run, or the run has no such target.")
_GOES_ON = _MISSING | answers(409, "A run of the gate is still active.")


def router(services: Callable[[], ComparisonServices]) -> ServiceRouter:
    api = ServiceRouter(tags=["comparisons"], resource=Resource.RUNS)

    @api.get("/api/comparisons", operation_id="compareColumns", responses=_MISSING)
    async def compare_columns(columns: Columns, baseline: Index = 0, cluster_by: ClusterKey = None) -> Comparison:
        """Return the statistics of each column (a target of a run), the comparison of each with the baseline over the
        same cases, and the winner."""
        refs = column_refs(columns, baseline=baseline)
        reader = services().comparisons
        found = await find_columns(reader, refs)
        return await compare(reader, found, baseline=baseline, cluster_by=key(cluster_by))

    add_cases(api, services)

    @api.get("/api/comparisons/categories", operation_id="compareCategories", responses=_MISSING)
    async def compare_categories(columns: Columns, baseline: Index = 0) -> CategoryMap:
        """Return the mean score of each column (a target of a run) by category, over the cases that are scored in every
        compared column.

        The category in which the columns disagree most comes first.
        """
        refs = column_refs(columns, baseline=baseline)
        reader = services().comparisons
        return await reader.category_map(await find_columns(reader, refs), baseline=baseline, limit=MOST_CATEGORIES)

    @api.get("/api/comparisons/scores", operation_id="pairScores", responses=_MISSING)
    async def pair_scores(
        columns: Columns,
        baseline: Index = 0,
        of: Annotated[
            int | None, Query(ge=0, lt=MOST_COLUMNS, description="The other column; by default the first other one.")
        ] = None,
    ) -> ScorePairs:
        """Count how often each pair of scores occurs: the score of a case in the baseline, and its score in another
        column (a target of a run). Scores are counted in bins of one twentieth of the scale."""
        refs = column_refs(columns, baseline=baseline, of=of)
        other = (1 if baseline == 0 else 0) if of is None else of
        reader = services().comparisons
        return await reader.score_pairs(await find_columns(reader, refs), baseline=baseline, column=other)

    @api.post(
        "/v1/benchmarks/compare",
        operation_id="compareBenchmarks",
        responses=_GOES_ON,
        openapi_extra=needs(Verb.READ),
    )
    async def compare_benchmarks(body: CompareBenchmarks) -> BenchmarksCompared:
        """Compare runs, for use in scripts: verdicts (better, worse or not separable), regressions, the winner, and a
        gate's result.

        If the request has a gate, the response is 409 while a run is still active. It is 422 if the gate cannot be
        used, for example because there are too few cases for a decision (see `force`).
        """
        reader = services().comparisons
        paired = await _paired(body)
        columns = [await find_columns(reader, refs) for refs in paired.sets]
        cluster_by = key(body.cluster_by)
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

        Return how often the gate would give an unchanged model the verdict *fine*, and how often it would give a false
        alarm (the verdict *worse*).
        """
        (run,) = await require_runs(services().runs, [body.run_id], field="run_id")
        targets = [target for target in run.targets if body.target_id in (None, target.id)]
        if not targets:
            raise Problem(404, "No such column", f"There is no target {body.target_id} in a run {body.run_id}.")
        reader = services().comparisons
        columns = await find_columns(reader, [ColumnRef(run.id, target.id) for target in targets])
        named, checked = await check(reader, columns, body.gate.wanted(), cluster_by=key(body.cluster_by))
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
        runs = await require_runs(services().runs, body.run_ids, field="run_ids")
        return pair_runs(
            runs, baseline=body.baseline, by_hand=[(pair.baseline_target_id, pair.target_id) for pair in body.pairs]
        )

    add_report(api, services)
    return api


def _regressed(verdict: Comparison, margin: float) -> list[str]:
    """Return the labels of columns (targets of runs) that are certainly worse than the baseline by more than the
    margin."""
    return [
        verdict.columns[comparison.column].label
        for comparison in verdict.comparisons
        if _is_worse(comparison.score, margin)
    ]


def _is_worse(score: ScoreComparison | None, margin: float) -> bool:
    return score is not None and score.verdict is Verdict.WORSE and _beyond(score.simultaneous, margin)


def _beyond(interval: Interval | None, margin: float) -> bool:
    return interval is not None and exceeds(-interval.high, margin)
