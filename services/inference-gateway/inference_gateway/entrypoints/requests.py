"""Answer requests on core NATS; a queue group gives each request to one replica. When a message announces a new model
group, each replica looks for new lanes, the groups' queues of commands."""

import logging
from collections.abc import Awaitable, Callable

from faststream.nats import NatsBroker
from faststream.nats.annotations import NatsMessage
from pydantic import ValidationError

from inference_gateway.handlers.provider_types import describe_provider_type, list_provider_types
from inference_gateway.ports import SessionLost
from llmbench.contracts.describe_provider_type import DescribeProviderType, ProviderTypeDescribed
from llmbench.contracts.group_opened import GroupOpened
from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.list_provider_types import ListProviderTypes, ProviderTypesListed
from llmbench.contracts.read_call import CallRead, ReadCall

_log = logging.getLogger(__name__)

QUEUE = "inference-gateway"
WORKERS = 32


def subscribe_requests(
    broker: NatsBroker,
    *,
    list_models: Callable[[ListModels], Awaitable[ModelsListed]],
    read_call: Callable[[ReadCall], Awaitable[CallRead]],
) -> None:
    """Answer the requests of other services. `list_models` and `read_call` answer the requests that need I/O.

    An invalid request gets an empty reply: its sender probably uses another version of the contract. The reply is also
    empty if the database with a requested answer cannot be read now.
    """

    @broker.subscriber(ListModels.SUBJECT, queue=QUEUE, max_workers=WORKERS)
    async def on_list_models(message: NatsMessage) -> ModelsListed | None:
        try:
            return await list_models(ListModels.model_validate_json(message.body))
        except ValidationError as error:
            _log.error("an unreadable %s: %d faults", ListModels.SUBJECT, error.error_count())
            return None

    @broker.subscriber(ListProviderTypes.SUBJECT, queue=QUEUE)
    async def on_list_provider_types(message: NatsMessage) -> ProviderTypesListed | None:
        try:
            return list_provider_types(ListProviderTypes.model_validate_json(message.body))
        except ValidationError as error:
            _log.error("an unreadable %s: %d faults", ListProviderTypes.SUBJECT, error.error_count())
            return None

    @broker.subscriber(DescribeProviderType.SUBJECT, queue=QUEUE)
    async def on_describe_provider_type(message: NatsMessage) -> ProviderTypeDescribed | None:
        try:
            return describe_provider_type(DescribeProviderType.model_validate_json(message.body))
        except ValidationError as error:
            _log.error("an unreadable %s: %d faults", DescribeProviderType.SUBJECT, error.error_count())
            return None

    @broker.subscriber(ReadCall.SUBJECT, queue=QUEUE, max_workers=WORKERS)
    async def on_read_call(message: NatsMessage) -> CallRead | None:
        try:
            return await read_call(ReadCall.model_validate_json(message.body))
        except ValidationError as error:
            _log.error("an unreadable %s: %d faults", ReadCall.SUBJECT, error.error_count())
        except SessionLost as error:
            _log.warning("an answer cannot be read: %s", error)
        return None


def subscribe_group_opened(broker: NatsBroker, poke: Callable[[], None]) -> None:
    @broker.subscriber(GroupOpened.SUBJECT)
    async def on_group_opened(_: NatsMessage) -> None:
        poke()
