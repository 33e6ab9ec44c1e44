"""Discover every evaluator in this folder."""

from functools import cache
from typing import Any

import judge.evaluators
from judge.evaluators.base import Evaluator
from llmbench.plugins import BASE, plugins


@cache
def evaluators() -> dict[str, Evaluator[Any]]:
    """Return all evaluators, keyed by kind."""
    skipped = BASE | {"g_eval_params", "question", "repeating", "rouge"}
    return plugins(judge.evaluators, "EVALUATOR", Evaluator, key=lambda evaluator: evaluator.kind, skipped=skipped)


def no_such(kind: str) -> str:
    """Return the error message for an unknown kind of evaluator."""
    return f"There is no evaluator of the kind {kind!r}; known are: {', '.join(sorted(evaluators()))}."
