"""Finds every evaluator in this folder."""

import importlib
import pkgutil
from functools import cache
from typing import Any

import judge.evaluators
from judge.evaluators.base import Evaluator

_NOT_EVALUATORS = {"base", "registry"}


@cache
def evaluators() -> dict[str, Evaluator[Any]]:
    """By kind."""
    found: dict[str, Evaluator[Any]] = {}
    for module in pkgutil.iter_modules(judge.evaluators.__path__):
        if module.name in _NOT_EVALUATORS:
            continue
        evaluator: Evaluator[Any] = importlib.import_module(f"{judge.evaluators.__name__}.{module.name}").EVALUATOR
        if evaluator.kind in found:
            raise ValueError(f"two evaluators are of the kind {evaluator.kind!r}")
        found[evaluator.kind] = evaluator
    return found


def no_such(kind: str) -> str:
    """What to say of a kind that is not there."""
    return f"There is no evaluator of the kind {kind!r}; known are: {', '.join(sorted(evaluators()))}."
