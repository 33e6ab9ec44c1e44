"""Scores of one evaluator in two columns, paired by case: of each evaluator that the baseline shares with another."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.adapters.overall import CLUSTER, SPEAKING
from orchestrator.domain.comparison.paired import Differences
from orchestrator.ports.comparison import Column, ComparedEvaluator, EvaluatorPairs

_CHOSEN: Final = f"""
    WITH chosen AS (
        SELECT run_id, target_id, place - 1 AS place
        FROM unnest(CAST(:runs AS uuid[]), CAST(:targets AS uuid[])) WITH ORDINALITY AS given (run_id, target_id, place)
    ), {SPEAKING.format(runs="IN (SELECT run_id FROM chosen)")}, asked AS (
        SELECT place, run_id, target_id, evaluator_revision_id AS revision FROM chosen JOIN speaking USING (run_id)
    ), shared AS (
        SELECT * FROM asked WHERE revision IN (SELECT revision FROM asked WHERE place = :baseline)
    )
"""  # noqa: S608  # made of constants
_NAMED: Final = text(f"""
    {_CHOSEN}
    SELECT place, revision, slot AS name, title, revised.kind,
           coalesce(judge_model, 'a panel of ' || cardinality(members)) AS judge_model, weight,
           required AND weight > 0 OR pass_threshold IS NOT NULL AS gates
    FROM shared
    JOIN run_evaluator AS named ON named.run_id = (SELECT run_id FROM chosen WHERE place = :baseline)
                               AND named.evaluator_revision_id = revision
    JOIN evaluator_revision AS revised ON revised.id = revision
    WHERE place <> :baseline ORDER BY place, named.position
""")  # noqa: S608  # made of constants
# As with the overall scores: several epochs of a case are one value, and the turns of a conversation one pair.
_PAIRED: Final = text(f"""
    {_CHOSEN}, scored AS MATERIALIZED (
        SELECT place, revision, item.task_id, min({CLUSTER}) AS cluster,
               round(CAST(avg(normalised) AS numeric), 9) AS value
        FROM shared
        JOIN item ON item.run_id = shared.run_id AND item.target_id = shared.target_id
        JOIN score ON score.item_id = item.id AND score.evaluator_revision_id = revision AND score.status = 'SCORED'
        WHERE place = :baseline OR place = ANY(CAST(:wanted AS integer[]))
        GROUP BY place, revision, item.task_id
    ), pair AS (
        SELECT here.place, revision, here.cluster, round(avg(here.value - base.value), 9) AS difference
        FROM scored AS here JOIN scored AS base USING (revision, task_id)
        WHERE base.place = :baseline AND here.place <> :baseline
        GROUP BY here.place, revision, here.cluster
    )
    SELECT place, revision, difference, count(*) AS pairs FROM pair GROUP BY 1, 2, 3
""")  # noqa: S608  # made of constants


async def evaluator_pairs(
    connection: AsyncConnection, columns: Sequence[Column], *, baseline: int
) -> dict[int, list[EvaluatorPairs]]:
    given: dict[str, Any] = {
        "runs": [column.run_id for column in columns],
        "targets": [column.target_id for column in columns],
        "baseline": baseline,
    }
    shared: dict[int, list[RowMapping]] = {at: [] for at in range(len(columns)) if at != baseline}
    for row in (await connection.execute(_NAMED, given)).mappings():
        shared[row["place"]].append(row)
    wanted = [at for at, rows in shared.items() if rows and not _is_the_whole(rows, columns[at], columns[baseline])]
    if not wanted:
        return {at: [] for at in shared}
    counted: dict[tuple[int, UUID], list[tuple[float, int]]] = {}
    for pair in await connection.execute(_PAIRED, given | {"wanted": wanted}):
        counted.setdefault((pair.place, pair.revision), []).append((float(pair.difference), pair.pairs))
    return {
        at: [
            EvaluatorPairs(
                ComparedEvaluator.model_validate(dict(row)), Differences.tally(counted.get((at, row["revision"]), []))
            )
            for row in (rows if at in wanted else [])
        ]
        for at, rows in shared.items()
    }


def _is_the_whole(shared: Sequence[RowMapping], here: Column, baseline: Column) -> bool:
    """One evaluator that makes the overall scores of both, which are compared anyway."""
    measures = [column.judge.scoring for column in (here, baseline) if column.judge]
    return len(shared) == 1 and measures == [str(shared[0]["revision"])] * 2
