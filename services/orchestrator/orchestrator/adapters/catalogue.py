"""Asks the judge service what an evaluator is with given parameters (`req.evaluator.describe`)."""

from typing import Any

from faststream.nats import NatsBroker
from nats.errors import ConnectionClosedError, NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError
from pydantic import ValidationError

from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed
from llmbench.errors import Problem
from llmbench.messaging.broker import client
from llmbench.messaging.publish import request

TIMEOUT_S = 5.0


class JudgeCatalogue:
    """See orchestrator.handlers.choose_evaluators.EvaluatorCatalogue."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    async def describe(self, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
        question = DescribeEvaluator(kind=kind, params=params)
        try:
            reply = await request(client(self._broker), question, service="orchestrator", timeout_s=TIMEOUT_S)
            return EvaluatorDescribed.model_validate_json(reply)
        except (NoRespondersError, NatsTimeoutError, ConnectionClosedError) as error:
            raise _unanswered("the judge service does not answer. Is it running? Try again in a moment") from error
        except ValidationError as error:
            raise _unanswered("the judge service speaks another version of llmbench") from error


def _unanswered(reason: str) -> Problem:
    return Problem(503, "The judge service does not answer", f"The evaluators cannot be checked: {reason}.")
