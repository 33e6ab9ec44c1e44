"""Batch queries: queries that arrive while the connection is busy share one round trip and one commit."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import asyncpg

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic in its type stubs, but not at run time.
    Connection = asyncpg.Connection[asyncpg.Record]

MAX_QUERIES = 16
"""The maximum number of queries in one batch: a row may have megabytes, and a batch has the time limit of one
statement."""

ENQUEUE_S = 0.005
"""Seconds until a query that no caller waits for starts a batch, unless another query starts one sooner."""

Q = TypeVar("Q")
A = TypeVar("A")

RunBatch = Callable[["Connection", Sequence[Q], float], Awaitable[Sequence[A]]]
"""The function that runs a batch on the connection, with a time limit in seconds.

It returns the results in the order of the queries. If one query fails, the function raises. Then the queries are
repeated one by one.
"""


class OneAtATime(Protocol):
    """The type of `Session.do`, the method of a session that runs one statement at a time."""

    async def __call__(self, statement: Callable[..., Awaitable[None]], *args: Any) -> None: ...


@dataclass(frozen=True)
class _Query(Generic[Q, A]):
    parameters: Q
    answer: "asyncio.Future[A] | None"
    """None if no caller waits for the result."""


@dataclass(eq=False)
class QueryBatcher(Generic[Q, A]):
    """Collects queries of one kind and runs them in batches on the database connection of a `Session`."""

    do: OneAtATime
    connection: "Connection"
    run_batch: "RunBatch[Q, A]"
    _waiting: list[_Query[Q, A]] = field(default_factory=list)
    _working: asyncio.Task[None] | None = None

    async def __call__(self, parameters: Q) -> A:
        """Run a query in the next batch. Raises `SessionLost` if the connection is lost, or PostgreSQL's error if it
        refuses this query.

        The query runs even if the caller is cancelled meanwhile.
        """
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Query(parameters, answer))
        self._begin()
        return await answer

    def enqueue(self, parameters: Q) -> None:
        """Queue a query without waiting for its result. Errors are not reported to the caller.

        The query runs with the next batch. If no other query starts a batch within `ENQUEUE_S` seconds, this query
        starts one.
        """
        self._waiting.append(_Query(parameters, None))
        if self._working is None:
            asyncio.get_running_loop().call_later(ENQUEUE_S, self._begin)

    def _begin(self) -> None:
        if self._working is None and self._waiting:
            self._working = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._waiting:
            taken: list[_Query[Q, A]] = []
            try:
                await self.do(self._run_waiting, taken)
            except asyncpg.PostgresError as error:
                await self._run_one_by_one(taken, error)
            except Exception as error:  # noqa: BLE001  # raised in the waiting callers
                _fail(taken or self._take_all(), error)
        self._working = None

    async def _run_waiting(self, taken: list[_Query[Q, A]], *, timeout: float) -> None:
        """Move the oldest waiting queries to `taken`, and run them. `do`, to which this method is passed, calls it once
        the connection is free."""
        taken.extend(self._waiting[:MAX_QUERIES])
        del self._waiting[:MAX_QUERIES]
        await self._run(taken, timeout=timeout)

    async def _run(self, taken: Sequence[_Query[Q, A]], *, timeout: float) -> None:
        answers = await self.run_batch(self.connection, [query.parameters for query in taken], timeout)
        for query, answer in zip(taken, answers, strict=True):
            if query.answer is not None and not query.answer.done():
                query.answer.set_result(answer)

    async def _run_one_by_one(self, taken: Sequence[_Query[Q, A]], error: asyncpg.PostgresError) -> None:
        """Repeat the queries of a failed batch one by one, so that only a faulty query fails.

        If the connection is lost meanwhile, the remaining queries fail, too.
        """
        if len(taken) == 1:
            _fail(taken, error)
            return
        for query in taken:
            try:
                await self.do(self._run, [query])
            except Exception as own_error:  # noqa: BLE001  # raised in the waiting caller
                _fail([query], own_error)

    def _take_all(self) -> list[_Query[Q, A]]:
        taken, self._waiting = self._waiting, []
        return taken


def _fail(taken: Sequence[_Query[Q, A]], error: Exception) -> None:
    for query in taken:
        if query.answer is not None and not query.answer.done():
            query.answer.set_exception(error)
