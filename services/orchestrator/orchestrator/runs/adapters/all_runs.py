"""Find the work of all organisations for background loops: the port `AllRuns` in PostgreSQL."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.runs.adapters.leftovers import needed_of
from orchestrator.runs.ports.all_runs import Organisation, UnfinishedRun
from orchestrator.runs.ports.lanes import OnNats

_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)
_CLOSED = (RunStatus.PAUSING, RunStatus.PAUSED)


class PostgresAllRuns:
    """Implement the port `AllRuns`: find unfinished runs, queues and organisations. The database engine has to see the
    rows of all organisations (see `llmbench.db.everybody`)."""

    def __init__(self, everybody: AsyncEngine) -> None:
        self._everybody = everybody

    async def unfinished(self) -> Sequence[UnfinishedRun]:
        query = select(t.run.c.id, t.run.c.org_id, t.run.c.status).where(t.run.c.status.not_in(_OVER))
        async with self._everybody.connect() as connection:
            rows = await connection.execute(query)
            return [
                UnfinishedRun(row.id, row.org_id, RunGate.CLOSED if row.status in _CLOSED else RunGate.OPEN)
                for row in rows
            ]

    async def with_queue(self) -> Sequence[UUID]:
        query = select(t.run.c.org_id).where(t.run.c.status == RunStatus.QUEUED).distinct()
        async with self._everybody.connect() as connection:
            return (await connection.execute(query)).scalars().all()

    async def needed(self, found: OnNats) -> OnNats:
        async with self._everybody.connect() as connection:
            return await needed_of(connection, found)

    async def organisations(self) -> Sequence[Organisation]:
        days = t.organisation.c.settings["data_retention_days"].as_float()
        async with self._everybody.connect() as connection:
            return [Organisation(*row) for row in await connection.execute(select(t.organisation.c.id, days))]
