"""The port to the evaluators of the judge service."""

from collections.abc import Sequence
from typing import Any, Protocol

from llmbench.contracts.case import Case
from llmbench.contracts.check_references import ReferencesChecked
from llmbench.contracts.describe_evaluator import EvaluatorDescribed, EvaluatorFacts


class EvaluatorCatalogue(Protocol):
    async def describe(self, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
        """Describe an evaluator. Raises a 503 `Problem` when the judge service does not answer."""
        ...

    async def check_references(self, facts: EvaluatorFacts, cases: Sequence[Case]) -> ReferencesChecked:
        """Return which references the evaluator cannot read. Raises a 503 `Problem` when the judge service does not
        answer."""
        ...
