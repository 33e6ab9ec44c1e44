"""Find due schedules and firings of all organisations in PostgreSQL, and lease firings."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.schedule_words import FiringStatus
from llmbench.db import tables as t
from llmbench.db.secrets import SecretBox
from llmbench.organisation import working_for
from orchestrator.schedules.adapters.rows import start_of
from orchestrator.schedules.adapters.webhooks import opened_webhooks
from orchestrator.schedules.domain.records import Start

_LONGEST_LEASE = timedelta(minutes=10)
"""The maximum time from now until the end of a valid lease. A lease that ends later was taken before the clock was set
back, so it counts as expired."""


class PostgresAllSchedules:
    """Implement the port `AllSchedules` in PostgreSQL.

    The engine `everybody` reads the rows of all organisations (`llmbench.db.everybody`). The engine `engine` leases
    firings, for one organisation at a time.
    """

    def __init__(self, engine: AsyncEngine, everybody: AsyncEngine, box: SecretBox) -> None:
        self._engine = engine
        self._everybody = everybody
        self._box = box

    async def due(self, now: datetime, *, future_from: datetime) -> Sequence[tuple[UUID, UUID]]:
        schedule = t.schedule.c
        is_due = (schedule.next_due_at <= now) | (
            schedule.next_due_at.is_not(None) & (schedule.decided_at > future_from)
        )
        query = select(schedule.org_id, schedule.id).where(is_due).order_by(schedule.next_due_at)
        async with self._everybody.connect() as connection:
            return [(row.org_id, row.id) for row in await connection.execute(query)]

    async def next_wake(self) -> datetime | None:
        due = select(func.min(t.schedule.c.next_due_at)).scalar_subquery()
        leased = select(func.min(t.schedule_firing.c.leased_until)).where(_starting()).scalar_subquery()
        async with self._everybody.connect() as connection:
            moment: datetime | None = (await connection.execute(select(func.least(due, leased)))).scalar_one()
        return moment

    async def claim(self, now: datetime, *, leased_until: datetime, most: int) -> Sequence[Start]:
        firing = t.schedule_firing.c
        is_free = _starting() & ((firing.leased_until <= now) | (firing.leased_until > now + _LONGEST_LEASE))
        oldest = select(firing.id, firing.org_id).where(is_free).order_by(firing.leased_until).limit(most)
        free: dict[UUID, list[UUID]] = {}
        async with self._everybody.connect() as connection:
            for row in await connection.execute(oldest):
                free.setdefault(row.org_id, []).append(row.id)
        claimed: list[Start] = []
        for org_id, ids in free.items():
            with working_for(org_id):
                claimed += await self._claim(ids, is_free, leased_until)
        return claimed

    async def _claim(self, ids: Sequence[UUID], is_free: ColumnElement[bool], leased_until: datetime) -> list[Start]:
        firing = t.schedule_firing.c
        locked = select(firing.id).where(firing.id.in_(ids), is_free).with_for_update(skip_locked=True)
        claiming = (
            update(t.schedule_firing)
            .where(firing.id.in_(locked.scalar_subquery()))
            .values(attempts=firing.attempts + 1, leased_until=leased_until)
            .returning(t.schedule_firing)
        )
        async with self._engine.begin() as connection:
            rows = (await connection.execute(claiming)).mappings().all()
            query = select(t.schedule).where(t.schedule.c.id.in_({row["schedule_id"] for row in rows}))
            schedules = {row["id"]: row for row in (await connection.execute(query)).mappings()}
            webhooks = await opened_webhooks(connection, self._box, schedules)
        return [
            start_of(row, schedules[row["schedule_id"]], webhooks.get(row["schedule_id"]))
            for row in rows
            if row["schedule_id"] in schedules
        ]


def _starting() -> ColumnElement[bool]:
    return t.schedule_firing.c.status == FiringStatus.STARTING
