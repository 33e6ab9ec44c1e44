"""Read usage from PostgreSQL: sums of `usage_of_day`, and the sizes of uploaded files."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, Uuid, func, null, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.db import tables as t
from llmbench.db.limits import read_limits
from orchestrator.kernel.adapters.limits import read_spending
from orchestrator.kernel.domain.budget import Spending, month_after, spent_text, warning_text
from orchestrator.usage.ports.usage import (
    BudgetOut,
    GroupBy,
    StorageOf,
    StorageOut,
    UsageFilter,
    UsageOut,
    UsageRow,
    UsageSums,
)

_NOBODY: Final = UUID(int=0)
_SUMMED: Final = ("calls", "unpriced_calls", "prompt_tokens", "completion_tokens", "cost_usd", "items")
_SUMS: Final = tuple(func.coalesce(func.sum(t.usage_of_day.c[name]), 0).label(name) for name in _SUMMED)
_COLUMN: Final = {GroupBy.DAY: "day", GroupBy.PERSON: "person_id", GroupBy.MODEL: "model"}


class UsageQueries:
    """Implement the port `UsageReader` in PostgreSQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def read(self, chosen: UsageFilter, group_by: GroupBy) -> UsageOut:
        column = t.usage_of_day.c[_COLUMN[group_by]]
        grouped = select(column, *_SUMS).group_by(column)
        ordered = grouped.order_by(column) if group_by is GroupBy.DAY else grouped.order_by(_SUMS[4].desc(), column)
        by_day = select(t.usage_of_day.c.day, *_SUMS).group_by(t.usage_of_day.c.day).order_by(t.usage_of_day.c.day)
        period = UsageFilter(chosen.since, chosen.until)
        async with self._engine.connect() as connection:
            # All parts have to come from one snapshot, so that they add up.
            await connection.execution_options(isolation_level="REPEATABLE READ")
            return UsageOut(
                since=chosen.since,
                until=chosen.until,
                group_by=group_by,
                rows=await _rows(connection, _within(ordered, chosen)),
                totals=await _totals(connection, chosen),
                days=await _rows(connection, _within(by_day, chosen)),
                models=await _values(connection, "model", period),
                people=[id_ for id_ in await _values(connection, "person_id", period) if id_ != _NOBODY],
                storage=await _storage(connection),
            )

    async def rows(self, chosen: UsageFilter) -> Sequence[UsageRow]:
        used = t.usage_of_day.c
        query = select(used.day, used.person_id, used.model, *(used[name] for name in _SUMMED))
        ordered = query.order_by(used.day, used.person_id, used.model)
        async with self._engine.connect() as connection:
            return await _rows(connection, _within(ordered, chosen))

    async def budget(self, now: datetime) -> BudgetOut:
        async with self._engine.connect() as connection:
            limits = await read_limits(connection)
            spending = await read_spending(connection, limits.cost_budget_monthly_usd, now)
        return _budget(spending, limits.default_evaluators)


def _budget(spending: Spending, default_evaluators: Sequence[str]) -> BudgetOut:
    message = None
    if spending.is_spent():
        message = spent_text(spending)
    elif spending.is_nearly_spent():
        message = warning_text(spending)
    known = "none" if spending.budget_usd is None else "fine"
    return BudgetOut(
        month=spending.month,
        ends_on=month_after(spending.month),
        budget_usd=spending.budget_usd,
        spent_usd=spending.spent_usd,
        unpriced_calls=spending.unpriced_calls,
        state="spent" if spending.is_spent() else "warning" if spending.is_nearly_spent() else known,
        message=f"{message[0].upper()}{message[1:]}" if message else None,
        default_evaluators=list(default_evaluators),
    )


def _within(query: Select[Any], chosen: UsageFilter) -> Select[Any]:
    used = t.usage_of_day.c
    query = query.where(used.day >= chosen.since, used.day <= chosen.until)
    if chosen.person_id is not None:
        query = query.where(used.person_id == chosen.person_id)
    return query if chosen.model is None else query.where(used.model == chosen.model)


async def _rows(connection: AsyncConnection, query: Select[Any]) -> list[UsageRow]:
    rows = [dict(row._mapping) for row in await connection.execute(query)]
    for row in rows:
        if row.get("person_id") == _NOBODY:
            row["person_id"] = None
    return [UsageRow.model_validate(row) for row in rows]


async def _totals(connection: AsyncConnection, chosen: UsageFilter) -> UsageSums:
    row = (await connection.execute(_within(select(*_SUMS), chosen))).one()
    return UsageSums.model_validate(dict(row._mapping))


async def _values(connection: AsyncConnection, name: str, chosen: UsageFilter) -> list[Any]:
    column = t.usage_of_day.c[name]
    return list((await connection.execute(_within(select(column).distinct().order_by(column), chosen))).scalars())


async def _storage(connection: AsyncConnection) -> StorageOut:
    versions = select(t.dataset.c.created_by, t.dataset_version.c.file_bytes).join(
        t.dataset_version, t.dataset_version.c.dataset_id == t.dataset.c.id
    )
    documents = select(null().cast(Uuid), t.document.c.file_bytes)
    files = union_all(versions, documents).subquery()
    size = func.sum(files.c.file_bytes).label("bytes")
    query = select(files.c.created_by, size).group_by(files.c.created_by).order_by(size.desc())
    people = [StorageOf(person_id=row.created_by, bytes=int(row.bytes)) for row in await connection.execute(query)]
    limits = await read_limits(connection)
    return StorageOut(bytes=sum(each.bytes for each in people), limit_bytes=limits.storage_bytes, people=people)
