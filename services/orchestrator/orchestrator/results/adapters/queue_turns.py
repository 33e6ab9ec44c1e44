"""Estimate when queued runs start, from the pace of the active run and of earlier runs of the same models."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import DateTime, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.queue import ORDER
from orchestrator.kernel.domain.queue import Queued, Turn, turns

_PAST_GROUPS: Final = 5

# The work of a run: for each model, the calls that are left times the seconds per call. A model that has answered in
# this run gives its present pace, another one that of its last groups. The judges' calls are unknown before
# benchmarking is over: one per item is assumed.
_LEFT: Final = text(
    f"""
    SELECT run.id, run.status, coalesce(bool_and(planned.left_count = 0 OR planned.pace_s IS NOT NULL), true) AS known,
           coalesce(sum(planned.left_count * planned.pace_s), 0) AS work_s
    FROM run LEFT JOIN LATERAL (
        SELECT asked.left_count, CASE
            WHEN mine.done_count + mine.failed_count > 0 AND mine.opened_at IS NOT NULL
            THEN greatest(0, extract(epoch FROM coalesce(mine.closed_at, :now) - mine.opened_at))
                 / (mine.done_count + mine.failed_count)
            ELSE (
                SELECT sum(extract(epoch FROM past.closed_at - past.opened_at)) / sum(past.done_count)
                FROM (
                    SELECT opened_at, closed_at, done_count FROM run_group
                    WHERE provider_id = mine.provider_id AND model = mine.model AND phase = mine.phase
                      AND status = 'CLOSED' AND done_count > 0 AND closed_at >= opened_at
                    ORDER BY closed_at DESC LIMIT {_PAST_GROUPS}
                ) AS past
            ) END AS pace_s
        FROM run_group AS mine CROSS JOIN LATERAL (
            SELECT CASE WHEN mine.phase = 'JUDGING' AND run.phase = 'BENCHMARKING' THEN run.item_count
                   ELSE mine.new_count + mine.in_flight_count END AS left_count
        ) AS asked
        WHERE mine.run_id = run.id AND mine.provider_id IS NOT NULL
    ) AS planned ON true
    WHERE run.status IN ('QUEUED', 'RUNNING', 'PAUSING') AND NOT run.beside
    GROUP BY run.id
    """  # noqa: S608  # made of constants
).bindparams(bindparam("now", type_=DateTime(timezone=True)))


async def turns_of(connection: AsyncConnection, now: datetime) -> Mapping[UUID, Turn]:
    """Return the turn of each queued run of the organisation."""
    rows = {row.id: row for row in await connection.execute(_LEFT, {"now": now})}
    expected_s = {
        # The end of a pause cannot be estimated: the last calls have to end.
        id_: float(row.work_s) if row.known and row.status != RunStatus.PAUSING else None
        for id_, row in rows.items()
    }
    active = next((id_ for id_, row in rows.items() if row.status != RunStatus.QUEUED), None)
    query = select(t.run.c.id, t.run.c.priority).where(t.run.c.status == RunStatus.QUEUED).order_by(*ORDER)
    queue = [Queued(row.id, row.priority, expected_s.get(row.id)) for row in await connection.execute(query)]
    return turns(queue, active_s=0.0 if active is None else expected_s[active], now=now)
