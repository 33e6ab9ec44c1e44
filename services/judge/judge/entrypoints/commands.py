"""Consume `cmd.judge.*`: score each answer, publish the result, and only then acknowledge the command.

If a judge is killed before that, the broker delivers the command again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from pydantic import ValidationError

from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.messaging.broker import Broker
from llmbench.messaging.intake import Intake
from llmbench.messaging.publish import publish_durably
from llmbench.messaging.streams import COMMANDS
from llmbench.observability.logs import bind_ids

_log = logging.getLogger(__name__)

REDELIVER_AFTER_S = 1.0
UNEXPECTED_AFTER_S = 30.0

Judge = Callable[[JudgeAnswer], Awaitable[AnswerScored]]


class CommandLane:
    """Takes commands from the durable consumer `durable` and handles each with `judge`.

    The consumer's `max_ack_pending` limits how many commands all judges together handle at once.
    """

    def __init__(self, broker: Broker, judge: Judge, *, durable: str) -> None:
        self._broker = broker
        self._judge = judge
        self._intake = Intake(broker, COMMANDS, durable, self._take)

    async def start(self) -> None:
        """Start consuming. Requires a connected broker on which the consumer exists."""
        await self._intake.start()

    async def stop(self) -> None:
        """Stop consuming, and give unfinished commands back to the broker, which delivers them again at once.

        Their paid calls are stored, so they are not repeated.
        """
        await self._intake.close()
        under_way = self._intake.in_hand
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way, timeout=2)

    async def _take(self, message: Msg) -> None:
        try:
            task = JudgeAnswer.model_validate_json(message.data)
        except ValidationError as error:
            _log.error("unreadable command on %s, dropped: %s", message.subject, error)
            await message.term()
            return
        bind_ids(task)
        try:
            scored = await self._judge(task)
            await publish_durably(self._broker, scored, service="judge")
            await message.ack()
        except asyncio.CancelledError:
            await _hand_back(message, 0)
            raise
        except (NatsError, TimeoutError, OSError) as error:
            _log.warning("score %s not published (%r); the command will come again", task.score_id, error)
            await _hand_back(message, REDELIVER_AFTER_S)
        except Exception:  # noqa: BLE001  # other commands must go on; this error is logged
            _log.exception("score %s could not be worked on", task.score_id)
            await _hand_back(message, UNEXPECTED_AFTER_S)


async def _hand_back(message: Msg, delay_s: float) -> None:
    with contextlib.suppress(NatsError, OSError):
        await message.nak(delay=delay_s or None)
