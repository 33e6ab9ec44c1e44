"""Takes the reports of gateway and judge from the stream EVENTS."""

import logging

from faststream.middlewares import AckPolicy
from faststream.nats import JStream, NatsBroker, NatsMessage, PullSub
from nats.js import JetStreamContext
from pydantic import ValidationError

from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.registry import UnknownMessage, parse
from llmbench.logs import bind_ids
from llmbench.messaging.streams import EVENTS, ensure_consumer, ensure_streams
from orchestrator.handlers.leadership import Leadership

_log = logging.getLogger(__name__)

MAX_REPORTS_AT_ONCE = 64
FETCH_TIMEOUT_S = 5.0
RETRY_DELAY_S = 1.0
_DURABLES = {"orchestrator-calls": "evt.call.*", "orchestrator-scores": "evt.score.*"}


async def ensure_topology(js: JetStreamContext) -> None:
    """Streams and our consumers, as often as a broker may have lost them."""
    await ensure_streams(js)
    for durable, subject in _DURABLES.items():
        await ensure_consumer(js, EVENTS, durable, subject, max_ack_pending=4 * MAX_REPORTS_AT_ONCE)


def subscribe(broker: NatsBroker, leadership: Leadership) -> None:
    """Registers the subscribers; they start with the broker, whose topology must stand by then."""

    async def take(message: NatsMessage) -> None:
        try:
            report = parse(message.body)
        except (UnknownMessage, ValidationError) as error:
            _log.error("a report that cannot be read is dropped: %s", error)
            await message.reject()
            return
        if not isinstance(report, CallFinished | AnswerScored):
            await message.ack()
            return
        bind_ids(report)
        try:
            await leadership.report(report)
        except Exception as error:  # noqa: BLE001  # whatever it was, the report comes again
            _log.warning("a report on run %s could not be taken (%r); it will come again", report.run_id, error)
            await message.nack(delay=RETRY_DELAY_S)
            return
        await message.ack()

    for durable, subject in _DURABLES.items():
        broker.subscriber(
            subject,
            stream=JStream(EVENTS, declare=False),
            durable=durable,
            pull_sub=PullSub(1, timeout=FETCH_TIMEOUT_S),
            ack_policy=AckPolicy.MANUAL,
            max_workers=MAX_REPORTS_AT_ONCE,
        )(take)
