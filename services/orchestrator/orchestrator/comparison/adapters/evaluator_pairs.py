"""Pair the scores of a column (a target of a run) and of the baseline by case, for each evaluator that both share. An
evaluator is shared if both runs have the same primary revision of it."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.comparison.adapters import pairing
from orchestrator.comparison.ports.comparison import Column
from orchestrator.comparison.ports.pairs import ComparedEvaluator, EvaluatorPairs, Metric, MetricKind, PrimaryRevision
from orchestrator.kernel.adapters.judged_by import judged_by
from orchestrator.kernel.adapters.primary_revision import primary_revisions, with_primary_revisions
from orchestrator.kernel.domain.limits import SUITE_TASK

_NAMED: Final = text(f"""
    WITH chosen AS (
        SELECT run_id, target_id, place - 1 AS place
        FROM unnest(CAST(:runs AS uuid[]), CAST(:targets AS uuid[])) WITH ORDINALITY AS given (run_id, target_id, place)
    ), {with_primary_revisions("IN (SELECT run_id FROM chosen)")}, asked AS (
        SELECT place, run_id, target_id, evaluator_revision_id AS revision
        FROM chosen JOIN primary_revision USING (run_id)
    )
    SELECT place, revision, slot AS name, title, revised.kind,
           {judged_by("named", "revised")} AS judge_model, weight,
           required AND weight > 0 OR pass_threshold IS NOT NULL AS gates, named."only" ->> '{SUITE_TASK}' AS suite_task
    FROM asked
    JOIN run_evaluator AS named ON named.run_id = (SELECT run_id FROM chosen WHERE place = :baseline)
                               AND named.evaluator_revision_id = revision
    JOIN evaluator_revision AS revised ON revised.id = revision
    WHERE place <> :baseline AND revision IN (SELECT revision FROM asked WHERE place = :baseline)
    ORDER BY place, named.position
""")  # noqa: S608  # made of constants
_SUITE_TASK: Final = f"""\"only\" ->> '{SUITE_TASK}' AS suite_task"""
_PRIMARY: Final = text(f"{primary_revisions('= :run_id', 'slot', _SUITE_TASK)} ORDER BY position")


async def paired(
    connection: AsyncConnection, columns: Sequence[Column], *, baseline: int, cluster_by: str | None
) -> dict[int, list[EvaluatorPairs]]:
    """Implement `ComparisonReader.evaluator_pairs`: pair the scores of each column (a target of a run) with those of
    the column at the index `baseline`. The scores are paired case by case, for each evaluator that both columns
    share."""
    given: dict[str, Any] = {
        "runs": [column.run_id for column in columns],
        "targets": [column.target_id for column in columns],
        "baseline": baseline,
    }
    shared: dict[int, list[RowMapping]] = {at: [] for at in range(len(columns)) if at != baseline}
    for row in (await connection.execute(_NAMED, given)).mappings():
        shared[row["place"]].append(row)
    parameters = {
        at: rows
        for at, rows in shared.items()
        if rows and not _determines_overall(rows, columns[at], columns[baseline])
    }
    pairs_of_columns: dict[tuple[int, UUID], EvaluatorPairs] = {}
    for revision in dict.fromkeys(row["revision"] for rows in parameters.values() for row in rows):
        sharing = [(at, row) for at, rows in parameters.items() for row in rows if row["revision"] == revision]
        # The evaluator scores only its own task, so cases of other tasks must not lower its coverage.
        task = sharing[0][1]["suite_task"]
        _, pairs = await pairing.paired(
            connection,
            [columns[baseline], *(columns[at] for at, _ in sharing)],
            baseline=0,
            metric=Metric(MetricKind.EVALUATOR, revision, tasks=None if task is None else (task,)),
            cluster_by=cluster_by,
        )
        for place, (at, row) in enumerate(sharing, start=1):
            pairs_of_columns[at, revision] = EvaluatorPairs(ComparedEvaluator.model_validate(dict(row)), pairs[place])
    return {
        at: [pairs_of_columns[at, row["revision"]] for row in rows if (at, row["revision"]) in pairs_of_columns]
        for at, rows in shared.items()
    }


async def evaluators(connection: AsyncConnection, run_id: UUID) -> dict[str, PrimaryRevision]:
    """Implement `ComparisonReader.evaluators`: return the run's primary revisions by evaluator name."""
    rows = await connection.execute(_PRIMARY, {"run_id": run_id})
    return {row.slot: PrimaryRevision(row.evaluator_revision_id, row.suite_task) for row in rows}


def _determines_overall(shared: Sequence[RowMapping], column: Column, baseline: Column) -> bool:
    """Return whether `column` and `baseline` share exactly one evaluator, and this evaluator alone determines the
    overall scores of both. Its pairs of scores would then equal the pairs of overall scores."""
    measures = [compared.judge.scoring for compared in (column, baseline) if compared.judge]
    return len(shared) == 1 and measures == [str(shared[0]["revision"])] * 2
