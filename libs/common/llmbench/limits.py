"""The limits of an organisation: those of its plan, and its own settings. `None` means no limit.

`llmbench.db.limits` reads them. Each service enforces the limits on the things that it creates.
"""

from dataclasses import dataclass
from typing import Final

from llmbench.errors import FieldError, Problem

PLAN_LIMIT: Final = "plan-limit"
BUDGET_SPENT: Final = "budget-spent"
ORGANISATION_CLOSED: Final = "organisation-closed"


@dataclass(frozen=True)
class Limits:
    """The plan of an organisation with its limits, and the organisation's settings.

    `storage_bytes` limits the bytes of uploaded files, `concurrency` the calls at a time to each model of a run.
    """

    plan: str = "ENTERPRISE"
    concurrency: int | None = None
    runs_a_day: int | None = None
    storage_bytes: int | None = None
    members: int | None = None
    cost_budget_monthly_usd: float | None = None
    default_evaluators: tuple[str, ...] = ()
    data_retention_days: int | None = None
    closed: bool = False
    """True if an owner has closed the organisation."""


def closed_problem() -> Problem:
    """Return the 403 `Problem` for a request that would begin work in a closed organisation."""
    detail = "The organisation is closed. The operator of the platform can reopen it."
    return Problem(403, "Organisation closed", detail, slug=ORGANISATION_CLOSED)


def plan_problem(limits: Limits, detail: str, *, field: str | None = None) -> Problem:
    """Return the 403 `Problem` for a request that the plan does not allow. `detail` says which limit the request
    exceeds, and what to do.

    >>> plan_problem(Limits(plan="FREE"), "It allows 3 members: remove one.").detail
    'It allows 3 members: remove one. The operator of the platform can change the plan FREE, or give another one.'
    """
    advice = f"The operator of the platform can change the plan {limits.plan}, or give another one."
    errors = [FieldError(field, detail)] if field else []
    return Problem(
        403, "Not in the plan", f"{detail} {advice}", slug=PLAN_LIMIT, errors=errors, extra={"plan": limits.plan}
    )
