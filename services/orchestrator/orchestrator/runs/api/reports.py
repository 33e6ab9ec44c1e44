"""Consume the reports of the inference gateway (finished calls) and the judge service (scores) from the NATS stream
REPORTS."""

import asyncio
import contextlib
import logging

from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError
from pydantic import ValidationError

from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.registry import UnknownMessage, parse
from llmbench.messaging.broker import Broker
from llmbench.messaging.intake import Intake
from llmbench.messaging.streams import EVENTS, REPORTS, ensure_consumer, ensure_streams
from llmbench.observability.logs import bind_ids
from orchestrator.runs.handlers.leadership import Leadership

_log = logging.getLogger(__name__)

MAX_REPORTS_AT_ONCE = 256
RETRY_DELAY_S = 1.0
STOP_S = 2.0
_DURABLES = {"orchestrator-calls": "evt.call.*", "orchestrator-scores": "evt.score.*"}


async def ensure_topology(js: JetStreamContext) -> None:
    """Create the streams and consumers of the orchestrator that are missing. Call this again whenever the
    broker may have lost them."""
    await ensure_streams(js)
    for durable, subject in _DURABLES.items():
        # Earlier versions published reports to the stream EVENTS. Delete the consumers that they left there.
        with contextlib.suppress(NotFoundError):
            await js.delete_consumer(EVENTS, durable)
        await ensure_consumer(js, REPORTS, durable, subject, max_ack_pending=MAX_REPORTS_AT_ONCE)


class Reports:
    def __init__(self, broker: Broker, leadership: Leadership) -> None:
        self._leadership = leadership
        self._intakes = [Intake(broker, REPORTS, durable, self._take) for durable in _DURABLES]

    async def start(self) -> None:
        """Start consuming. The broker has to be connected, and the streams and consumers have to exist. Raises
        nats-py's errors; the caller may then try again."""
        for intake in self._intakes:
            await intake.start()

    async def stop(self) -> None:
        """Stop consuming. Wait up to `STOP_S` seconds for reports that are being applied. NATS redelivers the reports
        that are not applied by then."""
        await asyncio.gather(*(intake.close() for intake in self._intakes))
        if in_hand := set[asyncio.Task[None]]().union(*(intake.in_hand for intake in self._intakes)):
            await asyncio.wait(in_hand, timeout=STOP_S)

    async def _take(self, message: Msg) -> None:
        try:
            report = parse(message.data)
        except (UnknownMessage, ValidationError) as error:
            _log.error("a report that cannot be read is dropped: %s", error)
            await message.term()
            return
        if not isinstance(report, CallFinished | AnswerScored):
            await message.ack()
            return
        bind_ids(report)
        try:
            await self._leadership.report(report)
        except Exception as error:  # noqa: BLE001  # the report is redelivered
            _log.warning("a report on run %s could not be applied (%r); it will be redelivered", report.run_id, error)
            await message.nak(delay=RETRY_DELAY_S)
            return
        await message.ack()
