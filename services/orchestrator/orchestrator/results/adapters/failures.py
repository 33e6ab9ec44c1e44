"""Group failed items by cause, and count the failed answers that a comparison counts as 0."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestrator.kernel.adapters.overall import FAILED_BY_ITSELF
from orchestrator.results.domain.zeros import Zeros
from orchestrator.results.ports.failure_schemas import FailureCause, FailureMessage, RunFailures

_NAMED: Final = 3
_CAUSES: Final = text(
    f"""
    WITH failed AS (
        SELECT item.failure ->> 'phase' AS phase, coalesce(item.failure ->> 'cause', item.failure ->> 'kind') AS cause,
               item.failure ->> 'message' AS message, CAST(item.failure ->> 'retryable' AS boolean) AS retryable,
               item.task_id, item.position, target.label, target.position AS place
        FROM item JOIN target ON target.id = item.target_id
        WHERE item.run_id = :run_id AND item.status = 'FAILED'
    ), worded AS (
        SELECT phase, cause, message, count(*) AS items,
               row_number() OVER (PARTITION BY phase, cause ORDER BY count(*) DESC, min(position)) AS rank
        FROM failed GROUP BY phase, cause, message
    ), of_target AS (
        SELECT phase, cause, label, min(place) AS place FROM failed GROUP BY phase, cause, label
    ), whole AS (
        SELECT phase, cause, count(*) AS items, count(*) FILTER (WHERE retryable) AS retryable,
               min(position) AS first, (array_agg(task_id ORDER BY position))[1:{_NAMED}] AS task_ids
        FROM failed GROUP BY phase, cause
    )
    SELECT whole.*,
           (SELECT array_agg(label ORDER BY place) FROM of_target
            WHERE (of_target.phase, of_target.cause) = (whole.phase, whole.cause)) AS targets,
           worded.message, worded.items AS message_items,
           (SELECT count(*) FROM worded AS any_
            WHERE (any_.phase, any_.cause) = (whole.phase, whole.cause)) AS message_count
    FROM whole JOIN worded ON (worded.phase, worded.cause) = (whole.phase, whole.cause) AND worded.rank <= {_NAMED}
    ORDER BY whole.items DESC, whole.first, whole.phase, whole.cause, worded.rank
    """  # noqa: S608  # made of constants
)
_ZEROS: Final = text(
    f"""
    SELECT target_id, count(*) FILTER (WHERE failure ->> 'kind' = 'refused') AS refused,
           count(*) FILTER (WHERE failure ->> 'kind' = 'malformed') AS malformed,
           count(*) FILTER (WHERE failure ->> 'kind' = 'turn_failed') AS later_turns
    FROM item WHERE run_id = ANY(:run_ids) AND status = 'FAILED' AND {FAILED_BY_ITSELF} GROUP BY target_id
    """  # noqa: S608
).bindparams(bindparam("run_ids", type_=ARRAY(Uuid)))


async def causes(connection: AsyncConnection, run_id: UUID) -> RunFailures:
    """Return the failed items of a run by phase and cause, the most frequent cause first."""
    causes: dict[tuple[str, str], FailureCause] = {}
    for row in (await connection.execute(_CAUSES, {"run_id": run_id})).mappings():
        cause = causes.setdefault((row["phase"], row["cause"]), FailureCause.model_validate({**row, "messages": []}))
        cause.messages.append(FailureMessage(message=row["message"], items=row["message_items"]))
    return RunFailures(items=sum(cause.items for cause in causes.values()), causes=list(causes.values()))


async def zeros(connection: AsyncConnection, run_ids: Sequence[UUID]) -> dict[UUID, Zeros]:
    """Return, by target, how many failed answers a comparison scores as 0. Refused answers, malformed answers, and
    turns after such an answer are counted separately. Targets without such answers are missing."""
    rows = (await connection.execute(_ZEROS, {"run_ids": list(run_ids)})).all()
    return {row.target_id: Zeros(row.refused, row.malformed, row.later_turns) for row in rows}
