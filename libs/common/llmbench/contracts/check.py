"""A check: a program evaluator that belongs to one case, with the parameters that it has there."""

from typing import Any, Final

from pydantic import Field

from llmbench.contracts.base import Value

CASE_CHECKS: Final = "case_checks"
"""The kind of the evaluator that scores a case's checks. As a check itself it is a set of checks."""

MAX_CHECKS: Final = 100
"""Of one case, those within sets of checks included."""

WITH_CHECKS: Final[dict[str, Any]] = {"checks": [{}]}
"""The filter (see `orchestrator.domain.limits`) that the cases with a check fit, and no others."""


class Check(Value):
    """`kind` names an evaluator that asks no model. With `negate` the check passes where the evaluator does not.
    A `weight` of 0 shows the check's result without counting it."""

    kind: str = Field(min_length=1, max_length=60)
    params: dict[str, Any] = Field(default_factory=dict)
    weight: float = Field(default=1, ge=0, le=1_000_000, allow_inf_nan=False)
    negate: bool = False
