"""`cmd.judge.*` in; scored answers out, before the command is acknowledged.

A verdict is published durably and only then is the command acked, so a judge killed at any moment
leaves a command that another one takes up.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker, PullSub
from faststream.nats.annotations import NatsMessage
from nats.errors import Error as NatsError
from pydantic import ValidationError

from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.logs import bind_ids
from llmbench.messaging.broker import jetstream
from llmbench.messaging.paced_pull import PacedPull
from llmbench.messaging.publish import publish_durably
from llmbench.messaging.streams import COMMANDS, HEARTBEAT_S

_log = logging.getLogger(__name__)

REDELIVER_AFTER_S = 1.0
UNEXPECTED_AFTER_S = 30.0

Judge = Callable[[JudgeAnswer], Awaitable[AnswerScored]]


class CommandLane:
    """The one consumer of the judge's commands; works on `workers` of them at once."""

    def __init__(self, broker: NatsBroker, judge: Judge, *, subject: str, durable: str, workers: int) -> None:
        self._broker = broker
        self._judge = judge
        self._subject = subject
        self._durable = durable
        self._workers = workers
        self._busy: set[asyncio.Task[None]] = set()
        self._subscriber: Any = None

    async def start(self) -> None:
        """Of a started broker, whose start would otherwise start the subscriber as well."""
        self._subscriber = self._broker.subscriber(
            self._subject,
            stream=JStream(COMMANDS, declare=False),
            durable=self._durable,
            pull_sub=PullSub(1, timeout=5),
            ack_policy=AckPolicy.MANUAL,
            # As many workers as may be pending: what was fetched never waits unattended.
            max_workers=self._workers,
            persistent=False,
            include_in_schema=False,
        )
        self._subscriber(self._receive)
        await self._subscriber.start()
        self._subscriber.subscription = PacedPull(self._subscriber.subscription)

    async def stop(self) -> None:
        """Hand back what is under way: a replica takes it up at once and replays it for nothing."""
        self._subscriber.running = False
        with contextlib.suppress(NatsError, OSError):
            await self._subscriber.subscription.unsubscribe()
        for task in self._busy:
            task.cancel()
        if self._busy:
            await asyncio.wait(self._busy, timeout=2)
        await self._subscriber.stop()

    async def _receive(self, message: NatsMessage) -> None:
        # A task of its own, so that stopping can cancel the work without the subscriber's.
        task = asyncio.create_task(self._work(message))
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def _work(self, message: NatsMessage) -> None:
        try:
            task = JudgeAnswer.model_validate_json(message.body)
        except ValidationError as error:
            _log.error("unreadable command on %s, dropped: %s", message.raw_message.subject, error)
            await message.reject()
            return
        bind_ids(task)
        heart = asyncio.create_task(_beat(message))
        try:
            scored = await self._judge(task)
            await publish_durably(jetstream(self._broker), scored, service="judge")
            await message.ack()
        except asyncio.CancelledError:
            await _hand_back(message, 0)
            raise
        except (NatsError, TimeoutError, OSError) as error:
            _log.warning("score %s not published (%r); the command will come again", task.score_id, error)
            await _hand_back(message, REDELIVER_AFTER_S)
        except Exception:  # noqa: BLE001  # FastStream would drop it in silence, for ever
            _log.exception("score %s could not be worked on", task.score_id)
            await _hand_back(message, UNEXPECTED_AFTER_S)
        finally:
            heart.cancel()


async def _beat(message: NatsMessage) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        with contextlib.suppress(NatsError, OSError):
            await message.in_progress()


async def _hand_back(message: NatsMessage, delay_s: float) -> None:
    with contextlib.suppress(NatsError, OSError):
        await message.nack(delay=delay_s or None)
