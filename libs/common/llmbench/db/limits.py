"""Read the limits of the organisation that the transaction is bound to."""

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db.tables import organisation, plan
from llmbench.limits import Limits
from llmbench.organisation import bound_organisation


async def read_limits(connection: AsyncConnection, *, lock: bool = False) -> Limits:
    """Return the organisation's limits. They limit nothing if the organisation was deleted. With `lock`, the
    organisation's row is locked until the transaction ends, which needs the right to change the row."""
    query: Select[tuple[object, ...]] = (
        select(
            organisation.c.plan,
            plan.c.concurrency,
            plan.c.runs_a_day,
            plan.c.storage_bytes,
            plan.c.members,
            organisation.c.settings,
            organisation.c.closed_at,
        )
        .join(plan, plan.c.name == organisation.c.plan)
        .where(organisation.c.id == bound_organisation())
    )
    if lock:
        query = query.with_for_update(of=organisation)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return Limits()
    settings = row.settings
    return Limits(
        plan=row.plan,
        concurrency=row.concurrency,
        runs_a_day=row.runs_a_day,
        storage_bytes=row.storage_bytes,
        members=row.members,
        cost_budget_monthly_usd=settings.get("cost_budget_monthly_usd"),
        default_evaluators=tuple(settings.get("default_evaluators") or ()),
        data_retention_days=settings.get("data_retention_days"),
        closed=row.closed_at is not None,
    )
