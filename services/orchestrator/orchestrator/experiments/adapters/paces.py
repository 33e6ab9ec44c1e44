"""Read the time and the cost of earlier answers and verdicts of models."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Text, TextClause, Uuid, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.experiments.ports.reading import Model, Pace

_PAST_GROUPS: Final = 5
# A cached answer has the cost 0, which says nothing about the next one.
_ANSWERS: Final = """
    SELECT sum(figure.cost_usd)::float8 / nullif(greatest(sum(figure.priced) - sum(figure.cached), 0), 0)
    FROM target JOIN block_figure AS figure ON figure.run_id = target.run_id AND figure.target_id = target.id
         AND figure.category IS NULL
    WHERE target.group_id = ANY (array_agg(recent.id))
"""
_VERDICTS: Final = """
    SELECT sum(figure.cost_usd)::float8 / nullif(sum(figure.priced), 0)
    FROM run_evaluator JOIN block_score_figure AS figure ON figure.run_id = run_evaluator.run_id
         AND figure.evaluator_revision_id = run_evaluator.evaluator_revision_id AND figure.target_id IS NULL
    WHERE run_evaluator.group_id = ANY (array_agg(recent.id))
"""


def _paces(phase: str, cost: str) -> TextClause:
    """Return the query for the paces of models in one phase of runs. `cost` is the SQL expression of a call's cost.

    A pace is the time per answer with one call at a time. So the time that a group of concurrent calls took is
    multiplied by their number.
    """
    return text(
        f"""
        SELECT lane.provider_id, lane.model, ({cost}) AS cost_usd,
               sum(extract(epoch FROM closed_at - opened_at) * concurrency)::float8 / sum(done_count) AS seconds
        FROM unnest(:providers, :models) AS lane (provider_id, model)
        CROSS JOIN LATERAL (
            SELECT id, opened_at, closed_at, done_count, concurrency FROM run_group
            WHERE provider_id = lane.provider_id AND model = lane.model AND phase = '{phase}'
              AND status = 'CLOSED' AND done_count > 0 AND closed_at >= opened_at
            ORDER BY closed_at DESC LIMIT {_PAST_GROUPS}
        ) AS recent
        GROUP BY lane.provider_id, lane.model
        """  # noqa: S608  # made of constants
    ).bindparams(bindparam("providers", type_=ARRAY(Uuid)), bindparam("models", type_=ARRAY(Text)))


_OF_ANSWERS: Final = _paces("BENCHMARKING", _ANSWERS)
_OF_VERDICTS: Final = _paces("JUDGING", _VERDICTS)


async def read_paces(connection: AsyncConnection, models: Sequence[Model], *, judging: bool) -> Mapping[Model, Pace]:
    """Return the pace of each model that has answered: the mean time and cost of one answer. With `judging`, return the
    mean time and cost of one verdict of each model that has judged."""
    values: dict[str, Sequence[UUID | str]] = {
        "providers": [provider_id for provider_id, _ in models],
        "models": [model for _, model in models],
    }
    rows = await connection.execute(_OF_VERDICTS if judging else _OF_ANSWERS, values)
    return {(row.provider_id, row.model): Pace(row.seconds, row.cost_usd) for row in rows}
