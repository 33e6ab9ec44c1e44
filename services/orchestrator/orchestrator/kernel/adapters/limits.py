"""Enforce the limits of the organisation when runs are created, and read its spending."""

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Date, bindparam, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from llmbench.db.limits import read_limits
from llmbench.limits import Limits, closed_problem, plan_problem
from orchestrator.kernel.domain.budget import Spending, month_after, month_of, spent_problem

# The upsert locks the row until the transaction ends, so runs that are created at once are counted one by one.
_COUNT_RUN: Final = text(
    """
    INSERT INTO runs_of_day (day, runs) VALUES (:day, 1)
    ON CONFLICT (org_id, day) DO UPDATE SET runs = runs_of_day.runs + 1 RETURNING runs
    """
).bindparams(bindparam("day", type_=Date))


async def check_limits(connection: AsyncConnection, *, concurrency: int, field: str, now: datetime) -> Limits:
    """Check the budget and the requested concurrency before a run is created. Return the organisation's limits,
    which `count_run` needs later to check the number of runs a day.

    `concurrency` is the requested number of calls at once; `field` is the name of the request's field. Raises a
    `Problem`: 402 if the budget is spent, 403 if the plan does not allow the concurrency or the organisation is closed.
    """
    limits = await read_limits(connection)
    if limits.closed:
        raise closed_problem()
    if limits.concurrency is not None and concurrency > limits.concurrency:
        detail = f"The plan {limits.plan} allows {limits.concurrency} calls at a time: send a lower {field}."
        raise plan_problem(limits, detail, field=field)
    if limits.cost_budget_monthly_usd is not None:
        spending = await read_spending(connection, limits.cost_budget_monthly_usd, now)
        if spending.is_spent():
            raise spent_problem(spending)
    return limits


async def count_run(connection: AsyncConnection, limits: Limits, now: datetime) -> None:
    """Count a run that this transaction creates. Call this last: other creations wait until the transaction ends.

    Raises a 403 `Problem` if the plan allows no further run today. Deleting a run does not lower the count.
    """
    runs: int = (await connection.execute(_COUNT_RUN, {"day": now.astimezone(UTC).date()})).scalar_one()
    if limits.runs_a_day is not None and runs > limits.runs_a_day:
        detail = (
            f"The plan {limits.plan} allows {limits.runs_a_day} runs a day, evaluations included. "
            "Send it again after 00:00 UTC."
        )
        raise plan_problem(limits, detail)


async def read_spending(connection: AsyncConnection, budget_usd: float | None, now: datetime) -> Spending:
    """Return the cost of the organisation's calls in the month of `now`, with its budget `budget_usd`."""
    month = month_of(now)
    used = t.usage_of_day.c
    query = select(
        func.coalesce(func.sum(used.cost_usd), 0.0).label("spent"),
        func.coalesce(func.sum(used.unpriced_calls), 0).label("unpriced"),
    ).where(used.day >= month, used.day < month_after(month))
    row = (await connection.execute(query)).one()
    return Spending(month, budget_usd, float(row.spent), int(row.unpriced))
