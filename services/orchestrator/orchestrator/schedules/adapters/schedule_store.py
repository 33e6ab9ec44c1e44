"""Store schedules and their firings in PostgreSQL."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, delete, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.contracts.schedule_words import FiringCause, FiringStatus
from llmbench.db import tables as t
from llmbench.db.secrets import SecretBox
from llmbench.ids import new_id
from orchestrator.schedules.adapters.rows import firing_of, firings, schedule_of, start_of
from orchestrator.schedules.adapters.webhooks import opened_webhooks, put_webhook
from orchestrator.schedules.domain.firing import Decision, DueFiring, Timing
from orchestrator.schedules.domain.records import Firing, Plan, Schedule, Start
from orchestrator.schedules.ports.store import NameTaken

KEPT_FIRINGS = 100
"""The number of firings that are kept of each schedule."""
_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)
_LATEST = (t.schedule_firing.c.fired_at.desc(), t.schedule_firing.c.id.desc())


class PostgresScheduleStore:
    """Implement the port `ScheduleStore` in PostgreSQL. `box` encrypts the secrets of webhooks."""

    def __init__(self, engine: AsyncEngine, box: SecretBox) -> None:
        self._engine = engine
        self._box = box

    async def all(self) -> Sequence[Schedule]:
        async with self._engine.connect() as connection:
            rows = (await connection.execute(select(t.schedule).order_by(t.schedule.c.name))).mappings().all()
            latest = firings().distinct(t.schedule_firing.c.schedule_id)
            last = {
                row["schedule_id"]: firing_of(row)
                for row in (
                    await connection.execute(latest.order_by(t.schedule_firing.c.schedule_id, *_LATEST))
                ).mappings()
            }
        return [schedule_of(row, last.get(row["id"])) for row in rows]

    async def get(self, schedule_id: UUID) -> Schedule | None:
        async with self._engine.connect() as connection:
            query = select(t.schedule).where(t.schedule.c.id == schedule_id)
            row = (await connection.execute(query)).mappings().one_or_none()
            return None if row is None else schedule_of(row, await _last(connection, schedule_id))

    async def count(self) -> int:
        async with self._engine.connect() as connection:
            return (await connection.execute(select(func.count()).select_from(t.schedule))).scalar_one()

    async def create(self, plan: Plan, *, next_due_at: datetime | None, paused: bool, now: datetime) -> UUID:
        schedule_id = new_id()
        timing = {"paused": paused, "next_due_at": next_due_at, "decided_at": now}
        values = {"id": schedule_id, **_columns(plan), **timing, "created_at": now, "updated_at": now}
        async with self._engine.begin() as connection:
            with _unique_name():
                await connection.execute(insert(t.schedule).values(values))
            await put_webhook(connection, self._box, schedule_id, plan.webhook)
        return schedule_id

    async def replace(
        self,
        schedule_id: UUID,
        plan: Plan,
        *,
        version: int,
        next_due_at: datetime | None,
        now: datetime,
        keep_webhook: bool,
    ) -> bool:
        timing = {"next_due_at": next_due_at, "decided_at": now, "updated_at": now}
        same = (t.schedule.c.id == schedule_id) & (t.schedule.c.version == version)
        changing = update(t.schedule).where(same).values(**_columns(plan), **timing, version=version + 1)
        async with self._engine.begin() as connection:
            with _unique_name():
                changed = (await connection.execute(changing)).rowcount > 0
            if changed and not keep_webhook:
                await put_webhook(connection, self._box, schedule_id, plan.webhook)
        return changed

    async def set_paused(self, schedule_id: UUID, *, paused: bool, next_due_at: datetime | None, now: datetime) -> None:
        values = {"paused": paused, "next_due_at": next_due_at, "decided_at": now, "updated_at": now}
        changing = update(t.schedule).where(t.schedule.c.id == schedule_id, t.schedule.c.paused != paused)
        async with self._engine.begin() as connection:
            await connection.execute(changing.values(**values, version=t.schedule.c.version + 1))

    async def delete(self, schedule_id: UUID) -> bool:
        async with self._engine.begin() as connection:
            removed = await connection.execute(delete(t.schedule).where(t.schedule.c.id == schedule_id))
            return removed.rowcount > 0

    async def firings(self, schedule_id: UUID, *, after: tuple[datetime, UUID] | None, limit: int) -> Sequence[Firing]:
        query = firings().where(t.schedule_firing.c.schedule_id == schedule_id).order_by(*_LATEST).limit(limit)
        if after is not None:
            query = query.where(tuple_(t.schedule_firing.c.fired_at, t.schedule_firing.c.id) < after)
        async with self._engine.connect() as connection:
            return [firing_of(row) for row in (await connection.execute(query)).mappings()]

    async def firing(self, firing_id: UUID) -> Firing | None:
        async with self._engine.connect() as connection:
            query = firings().where(t.schedule_firing.c.id == firing_id)
            row = (await connection.execute(query)).mappings().one_or_none()
        return None if row is None else firing_of(row)

    async def request(
        self, schedule_id: UUID, firing_id: UUID, *, now: datetime, leased_until: datetime
    ) -> Start | None:
        async with self._engine.begin() as connection:
            schedule = await _locked(connection, schedule_id)
            if schedule is None:
                return None
            values = {
                "id": firing_id,
                "schedule_id": schedule_id,
                "cause": FiringCause.REQUESTED,
                "status": FiringStatus.STARTING,
                "due_at": now,
                "fired_at": now,
                "attempts": 1,
                "leased_until": leased_until,
            }
            row = await _insert_firing(connection, values)
            webhooks = await opened_webhooks(connection, self._box, [schedule_id])
        return None if row is None else start_of(row, schedule, webhooks.get(schedule_id))

    async def settle(self, schedule_id: UUID, decide: Callable[[Timing], Decision | None], *, now: datetime) -> None:
        async with self._engine.begin() as connection:
            row = await _locked(connection, schedule_id)
            if row is None:
                return
            decision = decide(_timing(row, await _last(connection, schedule_id)))
            if decision is None:
                return
            if decision.firing is not None:
                await _insert_firing(connection, _due_values(schedule_id, decision.firing, now))
            timing = {"next_due_at": decision.next_due_at, "decided_at": now}
            await connection.execute(update(t.schedule).where(t.schedule.c.id == schedule_id).values(timing))

    async def started(self, firing_id: UUID, run_id: UUID) -> None:
        await self._end(firing_id, status=FiringStatus.STARTED, run_id=run_id, reason=None, leased_until=None)

    async def not_started(self, firing_id: UUID, status: FiringStatus, reason: str) -> None:
        await self._end(firing_id, status=status, reason=reason, leased_until=None)

    async def try_again(self, firing_id: UUID, *, at: datetime, reason: str) -> None:
        await self._end(firing_id, reason=reason, leased_until=at)

    async def _end(self, firing_id: UUID, **values: Any) -> None:
        # If a lease ended and two orchestrators worked on the firing, the first outcome is kept.
        starting = (t.schedule_firing.c.id == firing_id) & (t.schedule_firing.c.status == FiringStatus.STARTING)
        async with self._engine.begin() as connection:
            await connection.execute(update(t.schedule_firing).where(starting).values(**values))


def _columns(plan: Plan) -> dict[str, Any]:
    """Return a plan's values by database column. The webhook is stored in another table, with its secret encrypted."""
    return {
        "name": plan.name,
        "cron": plan.cron,
        "time_zone": plan.time_zone,
        "what": dict(plan.what),
        "skip_if_running": plan.skip_if_running,
    }


@contextmanager
def _unique_name() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        if "schedule_org_id_name_key" in str(error.orig):
            raise NameTaken from error
        raise


async def _locked(connection: AsyncConnection, schedule_id: UUID) -> RowMapping | None:
    query = select(t.schedule).where(t.schedule.c.id == schedule_id).with_for_update()
    return (await connection.execute(query)).mappings().one_or_none()


async def _last(connection: AsyncConnection, schedule_id: UUID) -> Firing | None:
    query = firings().where(t.schedule_firing.c.schedule_id == schedule_id).order_by(*_LATEST).limit(1)
    row = (await connection.execute(query)).mappings().one_or_none()
    return None if row is None else firing_of(row)


async def _insert_firing(connection: AsyncConnection, values: dict[str, Any]) -> RowMapping | None:
    """Insert a firing, and delete the schedule's oldest firings beyond `KEPT_FIRINGS`, except those that are still
    STARTING. Return `None` if the firing exists already."""
    inserting = insert(t.schedule_firing).values(values).on_conflict_do_nothing(index_elements=["id"])
    inserted = await connection.execute(inserting.returning(t.schedule_firing))
    row: RowMapping | None = inserted.mappings().one_or_none()
    of_schedule = t.schedule_firing.c.schedule_id == values["schedule_id"]
    old = select(t.schedule_firing.c.id).where(of_schedule).order_by(*_LATEST).offset(KEPT_FIRINGS)
    ended = t.schedule_firing.c.status != FiringStatus.STARTING
    await connection.execute(delete(t.schedule_firing).where(t.schedule_firing.c.id.in_(old), ended))
    return row


def _due_values(schedule_id: UUID, firing: DueFiring, now: datetime) -> dict[str, Any]:
    return {
        "id": firing.id,
        "schedule_id": schedule_id,
        "cause": FiringCause.DUE,
        "status": firing.status,
        "due_at": firing.due_at,
        "fired_at": now,
        "missed": firing.missed,
        "reason": firing.reason,
        # Store a lease that has ended already, so that the next claim takes the firing.
        "leased_until": now if firing.status is FiringStatus.STARTING else None,
    }


def _timing(row: RowMapping, last: Firing | None) -> Timing:
    return Timing(
        schedule_id=row["id"],
        cron=row["cron"],
        time_zone=row["time_zone"],
        skip_if_running=row["skip_if_running"],
        next_due_at=row["next_due_at"],
        decided_at=row["decided_at"],
        going=None if last is None else _going(last),
    )


def _going(last: Firing) -> str | None:
    """Return why the last firing is not over yet; `None` if it is over."""
    if last.status is FiringStatus.STARTING:
        return "the last run was still being created"
    if last.run is None or last.run.status in _OVER:
        return None
    return f"the last run, '{last.run.name}', was still {last.run.status}"
