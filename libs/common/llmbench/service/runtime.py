"""Run a service from start to stop, in the way that all services share.

At its start a service waits a few seconds for database and NATS, and then answers HTTP requests without them. While a
server is unreachable, `/health/ready` names it, and the process still stops on request.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from nats.errors import Error as NatsError

from llmbench.background import background
from llmbench.errors import DatabaseUnavailable, LlmbenchError
from llmbench.messaging.broker import make_broker, nats_lacking, stop_broker
from llmbench.room import DATABASE_ROOM
from llmbench.tls import NO_TLS, NatsTls

START_PATIENCE_S = 2.0
"""Seconds to wait for database and NATS at the start. After that the process answers requests without them."""
RETRY_S = 1.0
_log = logging.getLogger(__name__)

Step = Callable[[], Awaitable[None]]


async def _nothing() -> None:
    return None


async def _for_ever() -> None:
    await asyncio.Event().wait()


class ServiceRuntime:
    """The connection to NATS, the background task and the readiness of one service.

    runtime = ServiceRuntime("judge", settings.nats_url, settings.nats_tls())
    app = make_app(…, readiness=runtime.lacks)

    async with runtime.running(connect=connect, work=work, drain=drain):
        yield
    """

    def __init__(self, service: str, nats_url: str, tls: NatsTls = NO_TLS) -> None:
        """Create the broker for NATS. It connects only in `running`."""
        self.broker = make_broker(nats_url, service=service, tls=tls, on_reconnect=self._reconnected)
        self._service = service
        self._database: Step = _nothing
        self._restore: Step = _nothing
        self._task: asyncio.Task[None] | None = None
        self._at_work = asyncio.Event()
        self._lacking: str | None = None
        self._trouble: Callable[[], str | None] = lambda: None

    @property
    def at_work(self) -> bool:
        """Return whether the service has connected to its servers and begun its work, and has not stopped."""
        return self._at_work.is_set()

    async def lacks(self) -> str | None:
        """Return the reason why the service is not ready, for `/health/ready`; `None` when it is ready."""
        if self._task is None:
            return "The service is starting."
        if self._task.done():
            return "The service has stopped working; its log says why."
        try:
            await self._database()
        except LlmbenchError as error:
            return str(error)
        return nats_lacking(self.broker) or self._lacking or DATABASE_ROOM.lacking() or self._trouble()

    @asynccontextmanager
    async def running(
        self,
        *,
        database: Step = _nothing,
        connect: Step = _nothing,
        restore: Step = _nothing,
        work: Step = _for_ever,
        drain: Step = _nothing,
        trouble: Callable[[], str | None] = lambda: None,
    ) -> AsyncIterator[None]:
        """Run the service while the block runs, and stop it at the end.

        - `database` checks the database, at start until it succeeds and for each readiness request. After a
          `DatabaseUnavailable` it is repeated. Any other `LlmbenchError` of the first check is raised.
        - `connect` creates the streams, consumers and subscriptions, once database and NATS answer. It is repeated
          while it raises an error of NATS.
        - `restore` runs after each reconnection until it succeeds, because the NATS server may have lost its store.
        - `work` runs as long as the service. At the end of the block it is cancelled. If it ends earlier, the service
          is no longer ready.
        - `drain` runs after `work` has ended, while NATS is still connected, to finish what is in progress.
        - `trouble` returns a further reason why the service is not ready; `None` if there is none.
        """
        self._database, self._restore, self._trouble = database, _nothing, trouble
        self._lacking = "The service is starting."

        async def connect_and_work() -> None:
            try:
                async with background(self.broker.connect, name="connect") as connecting:
                    if not answered:
                        await self._wait_for_database()
                    await connecting
                # Restore only from here on: before, the service had created nothing on NATS that could be lost.
                self._restore = restore
                await self._connect(connect)
                self._at_work.set()
                await work()
            except asyncio.CancelledError:
                if not _is_being_stopped():
                    _log.exception("%s has stopped working: a library cancelled it", self._service)
                raise
            except Exception:
                _log.exception("%s has stopped working", self._service)
                raise

        try:
            answered = await self._database_answers()
            async with background(connect_and_work, name=self._service) as self._task:
                await self._wait_for_start(self._task)
                yield
        finally:
            self._task = None
            self._at_work.clear()
            try:
                await drain()
            finally:
                await stop_broker(self.broker)

    async def _database_answers(self) -> bool:
        """Check the database for the first time. Return whether it answers.

        Raises a `LlmbenchError` when it answers but cannot be used, such as with another schema version.
        """
        try:
            await self._database()
        except DatabaseUnavailable as error:
            _log.warning("%s; trying again", error)
            return False
        return True

    async def _wait_for_database(self) -> None:
        # Another schema version is no reason to give up here: `llmbench migrate` corrects it without a restart of the
        # service.
        while True:
            await asyncio.sleep(RETRY_S)
            try:
                return await self._database()
            except LlmbenchError as error:
                _log.warning("%s; trying again", error)

    async def _connect(self, connect: Step) -> None:
        while True:
            try:
                if not self.broker.running:
                    # Only once: started again, a subscriber with `max_workers` would answer nothing.
                    await self.broker.start()
                await connect()
            except (NatsError, TimeoutError, OSError) as error:
                # A server that has just started may still be recovering its streams.
                self._lacking = f"NATS is not ready yet: {error!r}"
                _log.warning("%s; trying again", self._lacking)
                await asyncio.sleep(RETRY_S)
            else:
                self._lacking = None
                return

    async def _wait_for_start(self, task: "asyncio.Task[None]") -> None:
        """Wait up to `START_PATIENCE_S` for the service to begin its work. Raises the error of its background `task` if
        that has ended."""
        async with background(self._at_work.wait, name="start") as started:
            await asyncio.wait({task, started}, timeout=START_PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()

    async def _reconnected(self) -> None:
        await self._restore()


def _is_being_stopped() -> bool:
    """Return whether the current task itself was cancelled, rather than something that it awaited."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
