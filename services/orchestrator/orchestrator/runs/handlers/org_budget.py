"""Keep an organisation within its monthly budget: store warnings with its runs, pause them, and start no further run.

The gateway adds the cost of a call to the month's sum in the statement that stores the call. So the sum stays right
even if any process is killed. Each report of a paid call compares the sum with the budget, so a changed budget takes
effect with the next report.
"""

from llmbench.limits import closed_problem
from orchestrator.kernel.domain.budget import spent_problem, spent_text, warning_text
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import RunRecords


async def require_org_budget(ledger: Ledger[RunRecords]) -> None:
    """Raise a `Problem`: 402 if the organisation's budget is spent, 403 if the organisation is closed."""
    if ledger.run.org_closed:
        raise closed_problem()
    if ledger.run.org_budget_usd is None:
        return
    spending = await ledger.transaction.spending(ledger.now)
    if spending.is_spent():
        raise spent_problem(spending)


async def reason_of_org_budget(ledger: Ledger[RunRecords]) -> str | None:
    """Return the reason to pause a running run if its organisation's budget is spent, else `None`. Store a
    warning with the run when the budget is nearly spent."""
    if not ledger.spent or ledger.run.org_budget_usd is None:
        return None
    spending = await ledger.transaction.spending(ledger.now)
    if spending.is_nearly_spent():
        ledger.warn(Warning("budget_nearly_spent", warning_text(spending)))
    return spent_text(spending) if spending.is_spent() else None
