"""Read the data of a comparison of targets. The database itself pairs the cases and sums the differences of their
scores, so only the cases of the requested page are loaded."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from orchestrator.comparison.adapters import compared_cases, evaluator_pairs, maps, pairing, standings
from orchestrator.comparison.adapters.suites_of_columns import SUITE_OF_COLUMN
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.target_pairs import settings_of
from orchestrator.comparison.ports.cases import CasePage, CaseQuery, ComparedCase
from orchestrator.comparison.ports.comparison import Column, ColumnRef
from orchestrator.comparison.ports.maps import CategoryMap, ScorePairs
from orchestrator.comparison.ports.pairs import SCORE as OVERALL
from orchestrator.comparison.ports.pairs import (
    EvaluatorPairs,
    Metric,
    OwnValues,
    PairedColumn,
    PrimaryRevision,
    SharedScores,
)
from orchestrator.kernel.adapters.judged_by import judged_by
from orchestrator.kernel.adapters.primary_revision import primary_revisions
from orchestrator.results.adapters import figures
from orchestrator.results.adapters.blocks import freshen
from orchestrator.results.adapters.ranking import ranking_of
from orchestrator.results.ports.figure_schemas import Figures

_COLUMN: Final = f"""
    SELECT run.id AS run_id, run.name AS run_name, run.status AS run_status, run.created_at AS run_created_at,
           run.cluster_by,
           target.id AS target_id, target.label, target.provider_name, target.model, target.params, target.epochs,
           (SELECT string_agg(name || ' ' || version_number, ', ' ORDER BY position)
            FROM run_dataset_version WHERE run_id = run.id) AS dataset_versions,
           (SELECT string_agg(name, ', ' ORDER BY name) FROM run_collection WHERE run_id = run.id) AS collections,
           judge.*, {SUITE_OF_COLUMN} AS suite
    FROM target JOIN run ON run.id = target.run_id CROSS JOIN LATERAL (
        SELECT CASE count(*) WHEN 1 THEN min(CAST(id AS text))
                    ELSE string_agg(id || '*' || weight, ', ' ORDER BY id) END AS scoring,
               string_agg(kind, ' + ' ORDER BY slot) AS kind, string_agg(DISTINCT judged_by, ', ') AS judge_model,
               CASE count(*) WHEN 1 THEN min(scale_min) ELSE 0 END AS scale_min,
               CASE count(*) WHEN 1 THEN max(scale_max) ELSE 1 END AS scale_max
        FROM (
            SELECT slot, weight, revision.*,
                   {judged_by("of_run", "revision")} AS judged_by
            FROM ({primary_revisions("= run.id", "slot", "weight", "members", "corrects")}) AS of_run
            JOIN evaluator_revision AS revision ON revision.id = evaluator_revision_id
        ) AS primary_revision WHERE weight > 0
    ) AS judge
    WHERE target.id = :target_id AND run.id = :run_id
"""  # noqa: S608  # made of constants


class ComparisonQueries:
    """Implement the port `ComparisonReader` in SQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def columns(self, refs: Sequence[ColumnRef]) -> list[Column | None]:
        async with self._engine.connect() as connection:
            return [await _column(connection, ref) for ref in refs]

    async def figures(self, columns: Sequence[Column]) -> list[Figures]:
        run_ids = list(dict.fromkeys(column.run_id for column in columns))
        await freshen(self._engine, run_ids)
        rankings = {run_id: await ranking_of(self._engine, run_id) for run_id in run_ids}
        async with self._engine.connect() as connection:
            results: dict[UUID, Figures] = {
                result.target_id: result
                for run_id, ranking in rankings.items()
                for result in await figures.by_target(connection, run_id, ranking)
            }
        return [results[column.target_id] for column in columns]

    async def pairs(
        self, columns: Sequence[Column], *, baseline: int, metric: Metric = OVERALL, cluster_by: str | None = None
    ) -> tuple[int, dict[int, PairedColumn]]:
        async with self._engine.connect() as connection:
            return await pairing.paired(connection, columns, baseline=baseline, metric=metric, cluster_by=cluster_by)

    async def evaluator_pairs(
        self, columns: Sequence[Column], *, baseline: int, cluster_by: str | None = None
    ) -> dict[int, list[EvaluatorPairs]]:
        async with self._engine.connect() as connection:
            return await evaluator_pairs.paired(connection, columns, baseline=baseline, cluster_by=cluster_by)

    async def evaluators(self, column: Column) -> dict[str, PrimaryRevision]:
        async with self._engine.connect() as connection:
            return await evaluator_pairs.evaluators(connection, column.run_id)

    async def own_values(
        self, column: Column, *, metric: Metric, cluster_by: str | None, most_clusters: int
    ) -> OwnValues:
        async with self._engine.connect() as connection:
            return await pairing.own_values(
                connection, column, metric=metric, cluster_by=cluster_by, most_clusters=most_clusters
            )

    async def shared_scores(self, columns: Sequence[Column]) -> SharedScores:
        async with self._engine.connect() as connection:
            return await standings.shared_scores(connection, columns)

    async def pooled(
        self,
        columns: Sequence[Column],
        *,
        baselines: Sequence[int],
        metrics: Sequence[Metric],
        cluster_by: str | None = None,
    ) -> ClusterSums:
        async with self._engine.connect() as connection:
            return await pairing.pooled(
                connection, columns, baselines=baselines, metrics=metrics, cluster_by=cluster_by
            )

    async def cases(self, columns: Sequence[Column], query: CaseQuery) -> CasePage:
        async with self._engine.connect() as connection:
            return await compared_cases.page(connection, columns, query)

    async def every_case(self, columns: Sequence[Column], query: CaseQuery) -> AsyncIterator[ComparedCase]:
        async with self._engine.connect() as connection:
            # One snapshot, so that a case is not yielded with scores by which it was not chosen.
            await connection.execution_options(isolation_level="REPEATABLE READ")
            async for case in compared_cases.every(connection, columns, query):
                yield case

    async def category_map(self, columns: Sequence[Column], *, baseline: int, limit: int) -> CategoryMap:
        async with self._engine.connect() as connection:
            return await maps.categories(connection, columns, baseline=baseline, limit=limit)

    async def score_pairs(self, columns: Sequence[Column], *, baseline: int, column: int) -> ScorePairs:
        async with self._engine.connect() as connection:
            return await maps.score_pairs(connection, columns, baseline=baseline, column=column)


async def _column(connection: AsyncConnection, ref: ColumnRef) -> Column | None:
    rows = await _all(connection, _COLUMN, {"run_id": ref.run_id, "target_id": ref.target_id})
    if not rows:
        return None
    row = dict(rows[0])
    drawn = {"dataset versions": row["dataset_versions"], "collections": row["collections"]}
    settings = settings_of(row["params"]) | {name: names for name, names in drawn.items() if names}
    settings["epochs"] = str(row["epochs"])
    return Column.model_validate(row | {"judge": row if row["scoring"] else None, "settings": settings})


async def _all(connection: AsyncConnection, query: str, given: dict[str, Any]) -> list[RowMapping]:
    return list((await connection.execute(text(query), given)).mappings())
