"""Decide which cases an evaluator of a run scores.

The filters `only` and `unless` are parts of a case as its snapshot stores it: `{"category": "sums"}`, `{"metadata":
{"tags": ["hard"]}}`, `{"checks": [{}]}`. A case fits a filter if it contains the filter, as PostgreSQL's `@>` defines
it. An object has to contain the filter's fields, and a list has to contain a match for each entry of the filter.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from llmbench.contracts.check import WITH_CHECKS

MAX_FILTER_CHARACTERS: Final = 4_000
_FIELDS: Final = frozenset(
    (
        *("id", "task_id", "category", "subcategory", "question", "system_prompt", "context", "conversation_id"),
        *("turn", "expected_output", "ground_truth", "metadata", "checks", "excellent", "good", "pass"),
        *("incorrect_answer_direction", "conversation"),
    )
)

Filter = Mapping[str, Any]


@dataclass(frozen=True)
class Limits:
    """A filter of cases. A case has to fit `only`, and must not fit `unless`. Without both, all cases are selected."""

    only: Filter | None = None
    unless: Filter | None = None

    def apply_to(self, case: Filter) -> bool:
        fits = self.only is None or contains(case, self.only)
        return fits and (self.unless is None or not contains(case, self.unless))

    def __bool__(self) -> bool:
        return self.only is not None or self.unless is not None


def contains(whole: Any, part: Any) -> bool:
    if isinstance(part, Mapping):
        return isinstance(whole, Mapping) and all(
            name in whole and contains(whole[name], value) for name, value in part.items()
        )
    if isinstance(part, list):
        return isinstance(whole, list) and all(any(contains(each, entry) for each in whole) for entry in part)
    if isinstance(whole, Mapping | list):
        return False
    # Compare the types, too: `true` differs from 1 in JSON, but Python considers them equal.
    return isinstance(whole, bool) == isinstance(part, bool) and bool(whole == part)


def filter_problem(found: Filter) -> str | None:
    """Return why a user's filter is invalid; `None` if it is valid."""
    if not found:
        return "names no field of a case: leave it out to mean all cases"
    for name in found:
        if name not in _FIELDS:
            return f"a case has no field {name[:80]!r}; there are {', '.join(sorted(_FIELDS))}"
    if len(json.dumps(found)) > MAX_FILTER_CHARACTERS:
        return f"has more than {MAX_FILTER_CHARACTERS:,} characters"
    return None


ALL_CASES: Final = Limits()
WITHOUT_CHECKS: Final = Limits(unless=WITH_CHECKS)
