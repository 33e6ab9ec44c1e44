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

# The work of a run: for each model, the remaining calls times the seconds per call. The seconds are measured in this
# run, or in the model's last groups if it has not answered in this run. The judges' calls are unknown before
# benchmarking is over: one per item is assumed. Past groups are read once per model, however many runs wait for it.
# With several groups side by side, a phase takes as long as its slowest provider, but at least the sum of all work
# divided by the number of groups.
_LEFT: Final = text(
    f"""
    WITH mine AS MATERIALIZED (
        SELECT run.id AS for_run, run_group.*, CASE
            WHEN run_group.phase = 'JUDGING' AND run.phase = 'BENCHMARKING' THEN run.item_count
            ELSE run_group.new_count + run_group.in_flight_count END AS left_count
        FROM run JOIN run_group ON run_group.run_id = run.id
        WHERE run.status IN ('QUEUED', 'RUNNING', 'PAUSING') AND NOT run.concurrent
            AND run_group.provider_id IS NOT NULL
    ), past AS MATERIALIZED (
        SELECT lane.*, (
            SELECT sum(extract(epoch FROM closed_at - opened_at)) / sum(done_count) FROM (
                SELECT opened_at, closed_at, done_count FROM run_group
                WHERE provider_id = lane.provider_id AND model = lane.model AND phase = lane.phase
                  AND status = 'CLOSED' AND done_count > 0 AND closed_at >= opened_at
                ORDER BY closed_at DESC LIMIT {_PAST_GROUPS}
            ) AS recent
        ) AS pace_s
        FROM (SELECT DISTINCT provider_id, model, phase FROM mine) AS lane
    ), planned AS (
        SELECT mine.for_run, mine.phase, mine.provider_id, mine.left_count, CASE
            WHEN mine.done_count + mine.failed_count > 0 AND mine.opened_at IS NOT NULL
            THEN greatest(0, extract(epoch FROM coalesce(mine.closed_at, :now) - mine.opened_at))
                 / (mine.done_count + mine.failed_count)
            ELSE past.pace_s END AS pace_s
        FROM mine JOIN past USING (provider_id, model, phase)
    ), of_provider AS (
        SELECT for_run, phase, bool_and(left_count = 0 OR pace_s IS NOT NULL) AS known,
               coalesce(sum(left_count * pace_s), 0) AS work_s
        FROM planned GROUP BY for_run, phase, provider_id
    ), of_phase AS (
        SELECT for_run, phase, bool_and(known) AS known, sum(work_s) AS work_s, max(work_s) AS slowest_s
        FROM of_provider GROUP BY for_run, phase
    )
    SELECT run.id, run.status, coalesce(bool_and(known), true) AS known,
           coalesce(sum(greatest(slowest_s, work_s / run.parallel_groups)), 0) AS work_s
    FROM run LEFT JOIN of_phase ON of_phase.for_run = run.id
    WHERE run.status IN ('QUEUED', 'RUNNING', 'PAUSING') AND NOT run.concurrent
    GROUP BY run.id
    """  # noqa: S608  # made of constants
).bindparams(bindparam("now", type_=DateTime(timezone=True)))


async def turns_of(connection: AsyncConnection, now: datetime) -> Mapping[UUID, Turn]:
    """Return, by run id, the position of each queued run of the organisation, and its expected start."""
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
