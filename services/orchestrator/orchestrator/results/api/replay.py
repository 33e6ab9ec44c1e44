"""Answer `req.run.events` with pages of a run's events; gateway-ws replays them."""

import logging

from faststream.nats import NatsBroker, NatsMessage
from pydantic import ValidationError

from llmbench.contracts.read_run_events import ReadRunEvents
from orchestrator.results.ports.queries import RunReader

_log = logging.getLogger(__name__)


def subscribe(broker: NatsBroker, runs: RunReader) -> None:
    @broker.subscriber(ReadRunEvents.SUBJECT, queue="orchestrator")
    async def read_run_events(message: NatsMessage) -> bytes:
        try:
            request = ReadRunEvents.model_validate_json(message.body)
        except ValidationError as error:
            _log.warning("a request for run events cannot be read: %s", error)
            return b""
        page = await runs.events(request.run_id, from_seq=request.from_seq, limit=request.limit)
        return page.model_dump_json(exclude_none=True).encode()
