"""Batch queries: those that arrive while the connection is busy share one round trip and one commit."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import asyncpg

if TYPE_CHECKING:
    # The class is generic only in the type stubs.
    Connection = asyncpg.Connection[asyncpg.Record]

MOST = 16
"""The most queries of one batch: a row can have megabytes, and the batch has one statement's time limit."""

TELL_S = 0.005
"""Seconds until a query without a waiting caller is sent on its own; mostly another query follows sooner."""

Q = TypeVar("Q")
A = TypeVar("A")

Ask = Callable[["Connection", Sequence[Q], float], Awaitable[Sequence[A]]]
"""Runs a batch: connection, queries, time limit in seconds → the results in the same order. All or none."""


class OneAtATime(Protocol):
    """The method of a session that runs one statement at a time: `Session.do`."""

    async def __call__(self, statement: Callable[..., Awaitable[None]], *args: Any) -> None: ...


@dataclass(frozen=True)
class _Asked(Generic[Q, A]):
    question: Q
    answer: "asyncio.Future[A] | None"
    """None if no caller waits for the result."""


@dataclass(eq=False)
class Together(Generic[Q, A]):
    """The batch of queries of one kind, over one session."""

    do: OneAtATime
    connection: "Connection"
    ask: "Ask[Q, A]"
    _waiting: list[_Asked[Q, A]] = field(default_factory=list)
    _working: asyncio.Task[None] | None = None

    async def __call__(self, question: Q) -> A:
        """Run a query in the next batch. Raises `SessionLost`, or PostgreSQL's error of this query alone.

        The query runs even if the caller is cancelled meanwhile.
        """
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Asked(question, answer))
        self._begin()
        return await answer

    def tell(self, question: Q) -> None:
        """Add a query to the next batch, in order, or run it after `TELL_S`, without waiting for the result."""
        self._waiting.append(_Asked(question, None))
        if self._working is None:
            asyncio.get_running_loop().call_later(TELL_S, self._begin)

    def _begin(self) -> None:
        if self._working is None and self._waiting:
            self._working = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._waiting:
            taken: list[_Asked[Q, A]] = []
            try:
                await self.do(self._ask_waiting, taken)
            except asyncpg.PostgresError as error:
                await self._ask_apart(taken, error)
            except Exception as error:  # noqa: BLE001  # handed to whoever waits for it
                _fail(taken or self._all(), error)
        self._working = None

    async def _ask_waiting(self, taken: list[_Asked[Q, A]], *, timeout: float) -> None:
        """Run the queries that have waited longest, now that the connection is free, and add them to `taken`."""
        taken.extend(self._waiting[:MOST])
        del self._waiting[:MOST]
        await self._ask(taken, timeout=timeout)

    async def _ask(self, taken: Sequence[_Asked[Q, A]], *, timeout: float) -> None:
        answers = await self.ask(self.connection, [query.question for query in taken], timeout)
        for query, answer in zip(taken, answers, strict=True):
            if query.answer is not None and not query.answer.done():
                query.answer.set_result(answer)

    async def _ask_apart(self, taken: Sequence[_Asked[Q, A]], error: asyncpg.PostgresError) -> None:
        """Repeat the queries of a failed batch one by one, so that only the faulty query fails.

        If the connection is lost, all of them fail.
        """
        if len(taken) == 1:
            _fail(taken, error)
            return
        for query in taken:
            try:
                await self.do(self._ask, [query])
            except Exception as its_own:  # noqa: BLE001  # handed to whoever waits for it
                _fail([query], its_own)

    def _all(self) -> list[_Asked[Q, A]]:
        taken, self._waiting = self._waiting, []
        return taken


def _fail(taken: Sequence[_Asked[Q, A]], error: Exception) -> None:
    for query in taken:
        if query.answer is not None and not query.answer.done():
            query.answer.set_exception(error)
