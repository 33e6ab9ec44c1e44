"""List the evaluators that a run can use, by asking the judge service."""

from collections.abc import Callable

from nats.aio.client import Client
from pydantic import ValidationError

from config_api.evaluators.schemas import EvaluatorPage
from config_api.publishing import SERVICE
from llmbench.contracts.list_evaluators import EvaluatorsListed, ListEvaluators
from llmbench.errors import Problem
from llmbench.messaging.publish import NO_REPLY, request

TIMEOUT_S = 5.0


class EvaluatorService:
    def __init__(self, nats: Callable[[], Client | None]) -> None:
        self._nats = nats

    async def list(self) -> EvaluatorPage:
        """Return all evaluators, sorted by title. Raises a 503 problem when the judge service does not answer."""
        nats = self._nats()
        if nats is None:
            raise _unanswered("NATS does not answer")
        try:
            reply = await request(nats, ListEvaluators(), service=SERVICE, timeout_s=TIMEOUT_S)
            listed = EvaluatorsListed.model_validate_json(reply)
        except NO_REPLY as error:
            raise _unanswered("the judge service does not answer. Is it running? Try again in a moment") from error
        except ValidationError as error:
            raise _unanswered("the judge service runs another version of llmbench") from error
        return EvaluatorPage(items=sorted(listed.evaluators, key=lambda evaluator: evaluator.title.casefold()))


def _unanswered(reason: str) -> Problem:
    return Problem(503, "The judge service does not answer", f"The evaluators could not be listed: {reason}.")
