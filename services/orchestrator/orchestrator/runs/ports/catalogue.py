"""The port that asks the judge service about its evaluators."""

from collections.abc import Sequence
from typing import Any, Protocol

from llmbench.contracts.case import Case
from llmbench.contracts.check_references import ReferencesChecked
from llmbench.contracts.describe_evaluator import EvaluatorDescribed, EvaluatorFacts


class EvaluatorCatalogue(Protocol):
    async def describe(self, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
        """Return the facts of an evaluator with these parameters, or the problems of the parameters. Raises a 503
        `Problem` when the judge service does not answer."""
        ...

    async def check_references(self, facts: EvaluatorFacts, cases: Sequence[Case]) -> ReferencesChecked:
        """Return the number of cases that were checked, and those whose references the evaluator cannot read. Raises a
        503 `Problem` when the judge service does not answer."""
        ...
