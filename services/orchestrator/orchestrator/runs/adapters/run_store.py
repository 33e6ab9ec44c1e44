"""Implement the port `RunStore` in PostgreSQL: lock runs to change them, order the queue, and delete runs."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.queue import ORDER
from orchestrator.kernel.adapters.rows import (
    group_of,
    run_of,
)
from orchestrator.kernel.domain.queue import Queued
from orchestrator.kernel.domain.records import Group
from orchestrator.runs.adapters import step_statements as statements
from orchestrator.runs.adapters.deletion import delete_run, delete_runs
from orchestrator.runs.adapters.leftovers import lane_in_use
from orchestrator.runs.adapters.queue import reorder
from orchestrator.runs.adapters.transaction.overrulings import OverrulingRows
from orchestrator.runs.adapters.transaction.reopened import ReopenedRows
from orchestrator.runs.adapters.transaction.revisions import RevisionRows
from orchestrator.runs.adapters.transaction.task_gates import TaskGateRows
from orchestrator.runs.adapters.transaction.verdicts import VerdictRows
from orchestrator.runs.adapters.transaction.work import WorkRows
from orchestrator.runs.ports.store import Deleted

_ACTIVE = (RunStatus.RUNNING, RunStatus.PAUSING)


class PostgresRunStore:
    def __init__(self, engine: AsyncEngine, *, hosted_hosts: Collection[str] = ()) -> None:
        """Create the store. Providers at the hosts `hosted_hosts` do not count as local, although their addresses are
        private."""
        self._engine = engine
        self._hosted_hosts = hosted_hosts

    @asynccontextmanager
    async def lead(self, run_id: UUID) -> AsyncIterator["PostgresRunTransaction | None"]:
        async with self._engine.begin() as connection:
            of_run = {"of_run": run_id}
            row = (await connection.execute(statements.locking_run(), of_run)).mappings().one_or_none()
            if row is None:
                yield None
                return
            groups = await connection.execute(statements.groups(), of_run)
            yield PostgresRunTransaction(
                connection,
                run_of(row),
                [group_of(group) for group in groups.mappings()],
                hosted_hosts=self._hosted_hosts,
            )

    async def next_queued(self) -> UUID | None:
        other = t.run.alias()
        active = select(other.c.id).where(other.c.status.in_(_ACTIVE), ~other.c.concurrent).exists()
        query = select(t.run.c.id).where(t.run.c.status == RunStatus.QUEUED, ~active)
        async with self._engine.connect() as connection:
            value: UUID | None = (await connection.execute(query.order_by(*ORDER).limit(1))).scalar()
        return value

    async def reorder(
        self, run_id: UUID, change: Callable[[Sequence[Queued]], Sequence[Queued]], now: datetime
    ) -> bool:
        async with self._engine.begin() as connection:
            return await reorder(connection, run_id, change, now)

    async def lane_in_use(self, group: Group, *, besides: UUID) -> bool:
        async with self._engine.connect() as connection:
            return await lane_in_use(connection, group, besides=besides)

    async def delete(self, run_id: UUID) -> Deleted | None:
        async with self._engine.begin() as connection:
            return await delete_run(connection, run_id)

    async def delete_all(self, run_ids: Sequence[UUID]) -> list[Deleted]:
        async with self._engine.begin() as connection:
            return await delete_runs(connection, run_ids)


class PostgresRunTransaction(WorkRows, TaskGateRows, ReopenedRows, RevisionRows, OverrulingRows, VerdictRows):
    """The transaction in which one locked run is read and changed: the port `RunTransaction` in PostgreSQL."""
