"""Send requests to the judge service: list its evaluators, describe one, check references (`req.evaluator.>`)."""

from collections.abc import Sequence
from typing import Any

from faststream.nats import NatsBroker
from pydantic import ValidationError

from llmbench.contracts.base import Message
from llmbench.contracts.case import Case
from llmbench.contracts.check_references import READING_S, CheckReferences, ReferencesChecked
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed, EvaluatorFacts
from llmbench.contracts.list_evaluators import EvaluatorInfo, EvaluatorsListed, ListEvaluators
from llmbench.errors import Problem
from llmbench.messaging.broker import client
from llmbench.messaging.publish import NO_REPLY, request

TIMEOUT_S = 5.0
_READING_TIMEOUT_S = READING_S + TIMEOUT_S


class JudgeCatalogue:
    """List, describe and check evaluators: the ports `EvaluatorCatalogue` and `MetricCatalogue` by requests over
    NATS."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    async def list(self) -> Sequence[EvaluatorInfo]:
        """Return all evaluators of the judge service (`MetricCatalogue.list`). Raises a 503 `Problem` when the judge
        service does not answer."""
        reply = await self._ask(ListEvaluators())
        try:
            return EvaluatorsListed.model_validate_json(reply).evaluators
        except ValidationError as error:
            raise _unanswered("the judge service runs another version of llmbench") from error

    async def describe(self, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
        reply = await self._ask(DescribeEvaluator(kind=kind, params=params))
        try:
            return EvaluatorDescribed.model_validate_json(reply)
        except ValidationError as error:
            raise _unanswered("the judge service runs another version of llmbench") from error

    async def check_references(self, facts: EvaluatorFacts, cases: Sequence[Case]) -> ReferencesChecked:
        """Ask the judge service whether the evaluator can read the reference answers of the cases. Return how many
        cases it checked, and a problem for each reference that the evaluator cannot read."""
        question = CheckReferences(kind=facts.kind, params=facts.params, cases=tuple(cases))
        reply = await self._ask(question, timeout_s=_READING_TIMEOUT_S)
        try:
            return ReferencesChecked.model_validate_json(reply)
        except ValidationError as error:
            raise _unanswered("the judge service runs another version of llmbench") from error

    async def _ask(self, question: Message, *, timeout_s: float = TIMEOUT_S) -> bytes:
        try:
            return await request(client(self._broker), question, service="orchestrator", timeout_s=timeout_s)
        except NO_REPLY as error:
            raise _unanswered("the judge service does not answer. Is it running? Try again in a moment") from error


def _unanswered(reason: str) -> Problem:
    return Problem(503, "The judge service does not answer", f"The evaluators cannot be checked: {reason}.")
