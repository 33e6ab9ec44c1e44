"""Read the histograms of scores and times per target, from the run's stored order statistics (see `ranking`)."""

import math
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.results.adapters.ranking import Ranking
from orchestrator.results.adapters.ranking_counts import SCORE_EDGES, SCORE_STEPS, TIME_BINS
from orchestrator.results.ports.distribution_schemas import JudgeCalls, RunDistribution, TargetDistribution


async def of_run(connection: AsyncConnection, run_id: UUID, ranking: Ranking) -> RunDistribution:
    query = select(t.target.c.id, t.target.c.label, t.target.c.model).where(t.target.c.run_id == run_id)
    targets = (await connection.execute(query.order_by(t.target.c.position))).mappings().all()
    edges = _edges(ranking.spread["low"], ranking.spread["high"])
    return RunDistribution(
        score_bins=[step / SCORE_STEPS for step in range(SCORE_STEPS + 1)],
        score_edges=list(SCORE_EDGES),
        time_edges_ms=edges,
        targets=_targets(targets, ranking, times=max(0, len(edges) - 1)),
        judges=[JudgeCalls.model_validate(judge) for judge in ranking.judges],
    )


def _targets(targets: Sequence[RowMapping], ranking: Ranking, *, times: int) -> list[TargetDistribution]:
    counts = {str(target["id"]): {"scores": [0] * (SCORE_STEPS + 1), "times": [0] * times} for target in targets}
    for row in ranking.spread["bins"] or []:
        counts[row["target_id"]][row["of"]][row["bin"]] = row["items"]
    return [
        TargetDistribution(target_id=row["id"], label=row["label"], model=row["model"], **counts[str(row["id"])])
        for row in targets
    ]


def _edges(low: float | None, high: float | None) -> list[float]:
    """Return the edges of the time bins in milliseconds, evenly spaced on a logarithmic scale.

    `low` and `high` are the logarithms of the shortest and the longest time. If they are equal, there is one bin. If
    they are `None`, because no answer was timed, there are no edges.
    """
    if low is None or high is None:
        return []
    bins = TIME_BINS if high > low else 1
    return [math.exp(low + (high - low) * step / bins) for step in range(bins + 1)]
