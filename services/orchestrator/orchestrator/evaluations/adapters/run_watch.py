"""Wait until a run is finished, cancelled or paused. The run's status events on NATS show when that happens, whichever
replica of the orchestrator changes the run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from faststream.nats import NatsBroker
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import RunStatus
from llmbench.errors import Problem
from llmbench.messaging.broker import client
from llmbench.messaging.fence import fence

_STOPPED = frozenset({RunStatus.FINISHED, RunStatus.CANCELLED, RunStatus.PAUSED})


class NatsRunWatch:
    """Implement the port `RunWatch` on NATS: subscribe to the end of a run."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    @asynccontextmanager
    async def ending(self, run_id: UUID) -> AsyncIterator["NatsEnding"]:
        ending = NatsEnding()
        try:
            connection = client(self._broker)
            subject = RunStatusChanged.SUBJECT.format(run_id=run_id)
            subscription = await connection.subscribe(subject, cb=ending.receive)
            # Wait until the server has the subscription; from then on no event is missed.
            await fence(connection)
        except (NatsError, TimeoutError) as error:
            message = "NATS does not answer, so the end of the scoring cannot be seen. Try again in a moment."
            raise Problem(503, "NATS does not answer", message) from error
        try:
            yield ending
        finally:
            if connection.is_connected:
                await subscription.unsubscribe()


class NatsEnding:
    """Implement the port `Ending` with a NATS subscription: wait for the end of one run."""

    def __init__(self) -> None:
        self._stopped = asyncio.Event()

    async def receive(self, message: Msg) -> None:
        if RunStatusChanged.model_validate_json(message.data).status in _STOPPED:
            self._stopped.set()

    async def wait(self, timeout_s: float) -> None:
        try:
            async with asyncio.timeout(timeout_s):
                await self._stopped.wait()
        except TimeoutError:
            return
