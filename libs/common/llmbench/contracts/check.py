"""A check: a condition on the answers to one case, which an evaluator without a model tests."""

from typing import Any, Final

from pydantic import Field

from llmbench.contracts.base import Value

CASE_CHECKS: Final = "case_checks"
"""The evaluator kind that scores a case's checks. Used as a check itself, it is a nested set of checks."""

MAX_CHECKS: Final = 100
"""The maximum number of checks per case, including nested ones."""

WITH_CHECKS: Final[dict[str, Any]] = {"checks": [{}]}
"""The filter (see `orchestrator.kernel.domain.limits`) that matches exactly the cases with a check."""


class Check(Value):
    """A check of the answers to a case. `kind` names an evaluator that needs no model; `params` are its parameters.

    `negate` inverts the result: the check then passes if the evaluator fails the answer. A check with `weight` 0 is
    shown but not counted.
    """

    kind: str = Field(min_length=1, max_length=60)
    params: dict[str, Any] = Field(default_factory=dict)
    weight: float = Field(default=1, ge=0, le=1_000_000, allow_inf_nan=False)
    negate: bool = False
