"""Register the auditor's checks, and define functions that they share. The checks are in the files `check_*.py`."""

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import tests.chaos
from tests.chaos.evidence import Evidence, Row
from tests.chaos.plan import Plan

Check = Callable[[Evidence, Plan], Iterator[str]]
_CHECKS: dict[str, Check] = {}


def check(test: Check) -> Check:
    """Register a check: a function of evidence and plan that yields a sentence for each violation."""
    _CHECKS[test.__name__.replace("_", " ")] = test
    return test


def checks() -> dict[str, Check]:
    """Import all files of checks, and return the checks by name."""
    for module in pkgutil.iter_modules(tests.chaos.__path__, "tests.chaos."):
        if module.name.startswith("tests.chaos.check_"):
            importlib.import_module(module.name)
    return _CHECKS


def same(found: Any, wanted: Any) -> bool:
    """Return whether two values are equal. Two numbers may differ by rounding, also as values of dictionaries."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return found.keys() == wanted.keys() and all(same(found[name], wanted[name]) for name in wanted)
    if isinstance(found, int | float) and isinstance(wanted, int | float):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(found == wanted)


def name_of(item: Row) -> str:
    return f"{item['task_id']} of {item['label']}"
