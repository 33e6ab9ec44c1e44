"""Finds every evaluator in this folder."""

import importlib
import pkgutil
from functools import cache

import judge.evaluators
from judge.evaluators.base import Evaluator

_NOT_EVALUATORS = {"base", "registry"}


@cache
def evaluators() -> dict[str, Evaluator]:
    """By kind."""
    found: dict[str, Evaluator] = {}
    for module in pkgutil.iter_modules(judge.evaluators.__path__):
        if module.name in _NOT_EVALUATORS:
            continue
        evaluator: Evaluator = importlib.import_module(f"{judge.evaluators.__name__}.{module.name}").EVALUATOR
        if evaluator.kind in found:
            raise ValueError(f"two evaluators are of the kind {evaluator.kind!r}")
        found[evaluator.kind] = evaluator
    return found
