"""Decide which cases an evaluator of a run scores.

The filters `only` and `unless` are JSON objects with fields of a case as the run stores it, for example `{"category":
"sums"}`, `{"metadata": {"tags": ["hard"]}}` or `{"checks": [{}]}`. A case fits a filter if it contains the filter, as
PostgreSQL's `@>` defines it. An object has to contain the filter's fields, and a list has to contain a match for each
entry of the filter.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from llmbench.contracts.check import WITH_CHECKS

MAX_FILTER_CHARACTERS: Final = 4_000
SUITE_TASK: Final = "suite_task"
"""The field of a case that names its task in a run of a suite."""
_FIELDS: Final = frozenset(
    (
        *("id", "task_id", "category", "subcategory", "question", "system_prompt", "context", "conversation_id"),
        *("turn", "expected_output", "ground_truth", "metadata", "checks", "excellent", "good", "pass"),
        *("incorrect_answer_direction", "conversation", SUITE_TASK),
    )
)

Filter = Mapping[str, Any]


@dataclass(frozen=True)
class Limits:
    """The cases that an evaluator scores: those that fit the filter `only` and do not fit the filter `unless`. A filter
    that is `None` excludes no case."""

    only: Filter | None = None
    unless: Filter | None = None

    def apply_to(self, case: Filter) -> bool:
        fits = self.only is None or contains(case, self.only)
        return fits and (self.unless is None or not contains(case, self.unless))

    @property
    def suite_task(self) -> str | None:
        """Return the name of the suite task to whose cases the evaluator is restricted; `None` if there is no such
        restriction."""
        name = None if self.only is None else self.only.get(SUITE_TASK)
        return name if isinstance(name, str) else None

    def __bool__(self) -> bool:
        return self.only is not None or self.unless is not None


def contains(value: Any, part: Any) -> bool:
    if isinstance(part, Mapping):
        return isinstance(value, Mapping) and all(
            name in value and contains(value[name], required) for name, required in part.items()
        )
    if isinstance(part, list):
        return isinstance(value, list) and all(any(contains(entry, required) for entry in value) for required in part)
    if isinstance(value, Mapping | list):
        return False
    # Compare the types, too: `true` differs from 1 in JSON, but Python considers them equal.
    return isinstance(value, bool) == isinstance(part, bool) and bool(value == part)


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


def of_suite_task(name: str, only: Filter | None = None, unless: Filter | None = None) -> Limits:
    """Return the case filters `only` and `unless`, further restricted to the cases of the suite's task `name`."""
    return Limits({**(only or {}), SUITE_TASK: name}, unless)


ALL_CASES: Final = Limits()
WITHOUT_CHECKS: Final = Limits(unless=WITH_CHECKS)
