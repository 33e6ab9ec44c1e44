"""Read the time and the cost of earlier answers and verdicts of models."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Text, Uuid, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.experiments.ports.reading import Model, Pace
from orchestrator.kernel.adapters.recent_groups import RECENT_ANSWERING_GROUPS

_PAST_GROUPS: Final = 5

_TYPES: Final = (bindparam("providers", type_=ARRAY(Uuid)), bindparam("models", type_=ARRAY(Text)))
# The time that a group of concurrent calls took is multiplied by their number, so a pace is the time with one call at a
# time.
_OF_ANSWERS: Final = text(
    f"""
    SELECT lane.provider_id, lane.model, sum(cost_usd)::float8 / nullif(sum(priced), 0)::float8 AS cost_usd,
           sum(extract(epoch FROM closed_at - opened_at) * concurrency)::float8 / sum(asked)::float8 AS seconds
    FROM unnest(:providers, :models) AS lane (provider_id, model)
    CROSS JOIN LATERAL {RECENT_ANSWERING_GROUPS} AS recent
    GROUP BY lane.provider_id, lane.model
    """  # noqa: S608  # made of constants
).bindparams(*_TYPES)
_OF_VERDICTS: Final = text(
    f"""
    SELECT lane.provider_id, lane.model, (
               SELECT sum(figure.cost_usd)::float8 / nullif(sum(figure.priced), 0)
               FROM run_evaluator JOIN block_score_figure AS figure ON figure.run_id = run_evaluator.run_id
                    AND figure.evaluator_revision_id = run_evaluator.evaluator_revision_id AND figure.target_id IS NULL
               WHERE run_evaluator.group_id = ANY (array_agg(recent.id))
           ) AS cost_usd,
           sum(extract(epoch FROM closed_at - opened_at) * concurrency)::float8 / sum(done_count) AS seconds
    FROM unnest(:providers, :models) AS lane (provider_id, model)
    CROSS JOIN LATERAL (
        SELECT id, opened_at, closed_at, done_count, concurrency FROM run_group
        WHERE provider_id = lane.provider_id AND model = lane.model AND phase = 'JUDGING'
          AND status = 'CLOSED' AND done_count > 0 AND closed_at >= opened_at
        ORDER BY closed_at DESC LIMIT {_PAST_GROUPS}
    ) AS recent
    GROUP BY lane.provider_id, lane.model
    """  # noqa: S608  # made of constants
).bindparams(*_TYPES)


async def read_paces(connection: AsyncConnection, models: Sequence[Model], *, judging: bool) -> Mapping[Model, Pace]:
    """Return the pace of each model that has answered: the mean time and cost of one answer. With `judging`, return the
    mean time and cost of one verdict of each model that has judged."""
    values: dict[str, Sequence[UUID | str]] = {
        "providers": [provider_id for provider_id, _ in models],
        "models": [model for _, model in models],
    }
    rows = await connection.execute(_OF_VERDICTS if judging else _OF_ANSWERS, values)
    return {(row.provider_id, row.model): Pace(row.seconds, row.cost_usd) for row in rows}
