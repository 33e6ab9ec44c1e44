"""Decide what the spending of an organisation in a month allows: everything, a warning, or no further call.

Months begin at 00:00 UTC. Calls without a known price count as 0, and every message gives their number.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from llmbench.errors import Problem
from llmbench.limits import BUDGET_SPENT

WARN_AT: Final = 0.8


@dataclass(frozen=True)
class Spending:
    """The cost of an organisation's calls in the month that begins on `month`, and its budget. `budget_usd` is null
    without a budget. `unpriced_calls` is the number of calls whose price is unknown."""

    month: date
    budget_usd: float | None
    spent_usd: float
    unpriced_calls: int

    def is_spent(self) -> bool:
        return self.budget_usd is not None and self.spent_usd >= self.budget_usd

    def is_nearly_spent(self) -> bool:
        return self.budget_usd is not None and self.spent_usd >= WARN_AT * self.budget_usd


def month_of(now: datetime) -> date:
    """Return the first day of the month in UTC.

    In UTC, half past midnight on 1 December at UTC+1 is still in November:

    >>> from datetime import timedelta, timezone
    >>> month_of(datetime(2026, 12, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))))
    datetime.date(2026, 11, 1)
    """
    return now.astimezone(UTC).date().replace(day=1)


def month_after(month: date) -> date:
    """Return the first day of the next month.

    >>> month_after(date(2026, 12, 1))
    datetime.date(2027, 1, 1)
    """
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def budget_text(spending: Spending) -> str:
    """Return the text that names the amount and the month of the budget. It stays the same for the entire month, unless
    the budget changes."""
    return f"the organisation's budget of ${spending.budget_usd or 0:.2f} for {spending.month:%B %Y} (UTC)"


def warning_text(spending: Spending) -> str:
    spent = f"{WARN_AT * 100:.0f} % of {budget_text(spending)} is spent."
    return f"{spent} At 100 % running runs pause, and no further run starts."


def spent_text(spending: Spending) -> str:
    """Return why the organisation may not spend more, and what to do."""
    unknown = f", and {spending.unpriced_calls:,} calls of unknown cost" if spending.unpriced_calls else ""
    return (
        f"{budget_text(spending)} is spent: ${spending.spent_usd:.2f}{unknown}. An owner can raise it in the "
        f"organisation's settings; a new month begins on {month_after(spending.month):%-d %B} at 00:00 UTC."
    )


def spent_problem(spending: Spending) -> Problem:
    """Return the problem (402) that refuses to start, resume or continue a run."""
    text = spent_text(spending)
    return Problem(402, "The budget is spent", f"{text[0].upper()}{text[1:]}", slug=BUDGET_SPENT)
