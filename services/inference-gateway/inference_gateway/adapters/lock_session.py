"""Keep the connection to PostgreSQL whose session holds the locks of the slots.

A slot is the right to make one of a model group's concurrent calls, and is an advisory lock. Such a lock lives as long
as its session: a killed process releases its locks at once, a suspended process keeps them. Paid calls are committed
over this same connection, so a process commits only while it holds the locks. When the connection breaks, every call in
flight is stopped. PostgreSQL must be reached without a transaction pooler, because a pooler would share the session.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING

import asyncpg

from inference_gateway.adapters.beginning import PREPARE, Begin, Begun, Free, Wanted, begin
from inference_gateway.adapters.session import BROKEN, Session
from inference_gateway.ports import GatewayStopping, SessionLost
from llmbench.db.connection import session_settings
from llmbench.observability.metrics import LOCKS
from llmbench.organisation import bound_organisation

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic in its type stubs, but not at run time.
    Connection = asyncpg.Connection[asyncpg.Record]

KEEPALIVE_S = 2.0
RECONNECT_S = 0.25
RECONNECT_MOST_S = 2.0
FIRST_WAIT_S = 0.02
LONGEST_WAIT_S = 0.25


class LockSession:
    def __init__(
        self, database_url: str, *, on_lost: Callable[[], None], stopping: Callable[[], bool], application_name: str
    ) -> None:
        self._database_url = database_url
        self._on_lost = on_lost
        self._stopping = stopping
        self._application_name = application_name
        self._session: Session | None = None
        self.trouble = "no connection yet"
        """The reason why there is no session at present."""
        self._connected = asyncio.Event()
        LOCKS.set_function(lambda: len(self._session.held) if self._session else 0)

    async def connected(self) -> None:
        """Wait until the first connection has been made."""
        await self._connected.wait()

    @property
    def alive(self) -> bool:
        return self._session is not None and self._session.alive

    def current(self) -> Session:
        """Return the current session. Raises `SessionLost` while there is no session."""
        if self._session is None or not self._session.alive:
            raise SessionLost("the database does not answer")
        return self._session

    async def run(self) -> None:
        """Connect and reconnect for ever."""
        wait_s = RECONNECT_S
        while True:
            try:
                connection = await self._connect()
            except (*BROKEN, asyncpg.PostgresError) as error:
                self.trouble = (str(error) or repr(error)).splitlines()[0]
                _log.warning("no session with the database (%r); trying again", error)
                await asyncio.sleep(wait_s)
                wait_s = min(wait_s * 2, RECONNECT_MOST_S)
                continue
            wait_s = RECONNECT_S
            try:
                await self._keep(Session(connection))
            finally:
                self._session = None
                connection.terminate()
                # Stop the calls before a new session begins: a call must not continue after its lock was lost.
                self._on_lost()
            self.trouble = "the connection was lost"
            _log.warning("the connection that holds the locks was lost; calls in flight are stopped")

    async def _connect(self) -> "Connection":
        connection: Connection = await asyncpg.connect(
            self._database_url,
            timeout=10,
            server_settings={
                **session_settings(self._application_name, everybody=True),
                # If this machine vanishes, the server must not keep its locks for hours.
                "tcp_keepalives_idle": "10",
                "tcp_keepalives_interval": "5",
                "tcp_keepalives_count": "3",
            },
        )
        try:
            await connection.execute(PREPARE, timeout=10)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _keep(self, session: Session) -> None:
        """Keep the session alive; return when the connection is closed or does not answer in time."""
        closed = asyncio.Event()
        session.connection.add_termination_listener(lambda _: closed.set())
        self._session = session
        self._connected.set()
        while session.alive:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(KEEPALIVE_S):
                    await closed.wait()
            if not closed.is_set():
                with contextlib.suppress(SessionLost):
                    await session.do(session.connection.execute, "SELECT 1")

    @contextlib.asynccontextmanager
    async def hold(
        self, group: str, concurrency: int, wanted: Wanted, *, while_stopping: bool = False
    ) -> AsyncIterator[tuple[Session, Begun]]:
        """Wait for one of the group's `concurrency` slots, and hold it until the `async with` block ends.

        `wanted` is the command whose call is to begin. Yields the session, and what was read when the slot was taken.
        With several slots, the call gets a lock of its own, too, so that two copies of a command never run at the same
        time.

        Raises `SessionLost` if the connection is lost. Raises `GatewayStopping` if the gateway stops during the wait,
        unless `while_stopping` is true.
        """
        session = self.current()
        call = None if concurrency == 1 else f"call:{wanted.call_id}"
        org_id = bound_organisation()
        choice = [Begin(f"{group}:{slot}", call, wanted, org_id) for slot in range(concurrency)]
        taken, begun = await self._claim(session, choice, while_stopping=while_stopping)
        try:
            yield session, begun
        finally:
            _free(session, taken.keys)

    async def _claim(self, session: Session, choice: Sequence[Begin], *, while_stopping: bool) -> tuple[Begin, Begun]:
        """Wait until one of the slots in `choice` is free, and take it. If the call has a lock of its own, take both or
        neither. Return the slot, and what was read about the run and the call at that moment.

        Raises `SessionLost` if the connection is lost. Raises `GatewayStopping` if the gateway stops during the wait,
        unless `while_stopping` is true.
        """
        wait_s = FIRST_WAIT_S
        while True:
            if self._stopping() and not while_stopping:
                raise GatewayStopping
            for slot in choice:
                if session.held.isdisjoint(slot.keys) and (begun := await self._try(session, slot)):
                    return slot, begun
            await asyncio.sleep(wait_s * random.uniform(0.5, 1))  # noqa: S311  # no secret depends on it
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def _try(self, session: Session, wanted: Begin) -> Begun | None:
        # Mark the locks as held before the round trip, so that no other call of this process tries them meanwhile.
        session.held.update(wanted.keys)
        asking = asyncio.create_task(session.ask(begin, wanted))
        begun: Begun | None = None
        try:
            begun = await asyncio.shield(asking)
        except asyncio.CancelledError:
            # After a cancellation the statement still runs, as part of a batch. Its locks must be released, or they
            # would stay taken for as long as the session.
            with contextlib.suppress(SessionLost):
                if await asking:
                    _free(session, wanted.keys)
            raise
        finally:
            if begun is None:
                session.held.difference_update(wanted.keys)
        return begun


def _free(session: Session, keys: Sequence[str]) -> None:
    """Release the locks `keys` with the next batch of queries, or after 5 ms.

    Other calls of this process may request these locks immediately: their requests run after the release.
    """
    session.enqueue(begin, Free(keys))
    session.held.difference_update(keys)
