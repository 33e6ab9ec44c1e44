"""Answer requests about evaluators on core NATS. A queue group divides the requests among replicas."""

import asyncio
import logging

from faststream.nats import NatsBroker
from faststream.nats.annotations import NatsMessage
from pydantic import ValidationError

from judge.handlers.check_references import check_references
from judge.handlers.tell_evaluators import describe_evaluator, list_evaluators
from llmbench.contracts.check_references import CheckReferences, ReferencesChecked
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed
from llmbench.contracts.list_evaluators import EvaluatorsListed, ListEvaluators

_log = logging.getLogger(__name__)

QUEUE = "judge"


def subscribe_requests(broker: NatsBroker) -> None:
    """Subscribe to the requests about evaluators.

    An invalid request is logged and gets an empty reply: its sender probably uses another version of the contract.
    """

    @broker.subscriber(ListEvaluators.SUBJECT, queue=QUEUE)
    async def on_list_evaluators(message: NatsMessage) -> EvaluatorsListed | None:
        try:
            return list_evaluators(ListEvaluators.model_validate_json(message.body))
        except ValidationError as error:
            _unreadable(ListEvaluators.SUBJECT, error)
            return None

    @broker.subscriber(DescribeEvaluator.SUBJECT, queue=QUEUE)
    async def on_describe_evaluator(message: NatsMessage) -> EvaluatorDescribed | None:
        try:
            # Run in a thread: parsing a user's schema or pattern may take long.
            return await asyncio.to_thread(describe_evaluator, DescribeEvaluator.model_validate_json(message.body))
        except ValidationError as error:
            _unreadable(DescribeEvaluator.SUBJECT, error)
            return None

    @broker.subscriber(CheckReferences.SUBJECT, queue=QUEUE)
    async def on_check_references(message: NatsMessage) -> ReferencesChecked | None:
        try:
            return await asyncio.to_thread(check_references, CheckReferences.model_validate_json(message.body))
        except ValidationError as error:
            _unreadable(CheckReferences.SUBJECT, error)
            return None


def _unreadable(subject: str, error: ValidationError) -> None:
    _log.error("an unreadable %s: %d faults", subject, error.error_count())
