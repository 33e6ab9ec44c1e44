"""The port that asks the judge service about its evaluators."""

from collections.abc import Sequence
from typing import Any, Protocol

from llmbench.contracts.case import Case
from llmbench.contracts.check_references import ReferencesChecked
from llmbench.contracts.describe_evaluator import EvaluatorDescribed, EvaluatorFacts


class EvaluatorCatalogue(Protocol):
    async def describe(self, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
        """Return the judge service's description of an evaluator with these parameters. If its kind or its parameters
        are not valid, return their problems instead. Raises a 503 `Problem` when the judge service does not answer."""
        ...

    async def check_references(self, facts: EvaluatorFacts, cases: Sequence[Case]) -> ReferencesChecked:
        """Ask the judge service whether the evaluator can read the reference answers of the cases. Return how many
        cases it checked, and a problem for each reference that the evaluator cannot read.

        The cases are checked in their order. If the time limit is reached, the last ones are not checked. Raises a 503
        `Problem` when the judge service does not answer.
        """
        ...
