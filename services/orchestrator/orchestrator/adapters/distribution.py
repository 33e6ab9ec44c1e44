"""How scores and times are spread, per target: the database counts into bins, nothing is read item by item."""

import math
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.adapters.figures import OVERALL
from orchestrator.ports.schemas import JudgeCalls, RunDistribution, TargetDistribution

# Tenths: one bin for each score of the rubric's scale from 0 to 10, and fine enough for any other.
_SCORE_STEPS: Final = 10
_TIME_BINS: Final = 24

# The logarithm, because targets differ by factors. What arrives between two readings is not beyond the ends: it is
# one statement.
_BINS: Final = f"""
    WITH {OVERALL.format(runs="= :run_id")}, result AS (
        SELECT item.target_id, value, CASE WHEN NOT item.cached AND item.time_ms > 0 THEN ln(item.time_ms) END AS time
        FROM item LEFT JOIN overall ON overall.item_id = item.id
        WHERE item.run_id = :run_id
    ), bounds AS (
        SELECT min(time) AS low, max(time) AS high FROM result
    ), counted AS (
        SELECT target_id, 'scores' AS of, floor(value * {_SCORE_STEPS} + 0.5)::int AS bin, count(*) AS items
        FROM result WHERE value IS NOT NULL GROUP BY target_id, bin
        UNION ALL
        SELECT target_id, 'times',
               CASE WHEN high > low THEN least(width_bucket(time, low, high, {_TIME_BINS}), {_TIME_BINS}) - 1 ELSE 0 END
                   AS bin, count(*)
        FROM result CROSS JOIN bounds WHERE time IS NOT NULL GROUP BY target_id, bin
    )
    SELECT target.id, target.label, target.model, low, high, counted.of, bin, items
    FROM target CROSS JOIN bounds LEFT JOIN counted ON counted.target_id = target.id
    WHERE target.run_id = :run_id ORDER BY target.position
"""  # noqa: S608  # made of constants


_JUDGES: Final = """
    SELECT provider_id, model, count(*) AS calls,
           avg(extract(epoch FROM finished_at - started_at) * 1000)::float AS mean_time_ms
    FROM model_call WHERE run_id = :run_id AND score_id IS NOT NULL AND cached_from IS NULL
    GROUP BY provider_id, model ORDER BY provider_id, model
"""


async def of_run(connection: AsyncConnection, run_id: UUID) -> RunDistribution:
    rows = list((await connection.execute(text(_BINS), {"run_id": run_id})).mappings())
    judges = (await connection.execute(text(_JUDGES), {"run_id": run_id})).mappings().all()
    edges = _edges(rows[0]["low"], rows[0]["high"]) if rows else []
    found: dict[UUID, dict[str, Any]] = {}
    for row in rows:
        target = found.setdefault(
            row["id"],
            {
                "target_id": row["id"],
                "label": row["label"],
                "model": row["model"],
                "scores": [0] * (_SCORE_STEPS + 1),
                "times": [0] * max(0, len(edges) - 1),
            },
        )
        if row["of"] is not None:
            target[row["of"]][row["bin"]] = row["items"]
    return RunDistribution(
        score_bins=[step / _SCORE_STEPS for step in range(_SCORE_STEPS + 1)],
        time_edges_ms=edges,
        targets=[TargetDistribution.model_validate(target) for target in found.values()],
        judges=[JudgeCalls.model_validate(dict(row)) for row in judges],
    )


def _edges(low: float | None, high: float | None) -> list[float]:
    """From the logarithms of the shortest and the longest time; one bin where they are the same."""
    if low is None or high is None:
        return []
    bins = _TIME_BINS if high > low else 1
    return [math.exp(low + (high - low) * step / bins) for step in range(bins + 1)]
