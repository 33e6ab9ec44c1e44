"""Share one connection to PostgreSQL among many model calls. It runs one statement at a time, and similar queries share
a batch."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg

from inference_gateway.adapters.query_batcher import QueryBatcher, RunBatch
from inference_gateway.ports import SessionLost

T = TypeVar("T")
Q = TypeVar("Q")
A = TypeVar("A")
if TYPE_CHECKING:
    # `asyncpg.Connection` is generic in its type stubs, but not at run time.
    Connection = asyncpg.Connection[asyncpg.Record]

STATEMENT_TIMEOUT_S = 10.0

BROKEN = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
)
"""The errors after which a session's state is unknown."""


@dataclass(eq=False)
class Session:
    """A database session that many calls share.

    `held` has the keys of the locks that this process holds or is trying to take. PostgreSQL would let the session take
    its own lock twice, so a lock in `held` must not be tried again.
    """

    connection: "Connection"
    held: set[str] = field(default_factory=set)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)
    _batchers: dict[Any, QueryBatcher[Any, Any]] = field(default_factory=dict)

    @property
    def alive(self) -> bool:
        return not self.connection.is_closed()

    async def do(self, statement: Callable[..., Awaitable[T]], *args: Any) -> T:
        """Call `statement(*args, timeout=…)` once no other statement runs, and return its result.

        Raises `SessionLost` if the connection is closed or breaks, or PostgreSQL's error if it refuses the statement.
        """
        async with self._one_at_a_time:
            if not self.alive:
                raise SessionLost("the connection to the database is closed")
            try:
                return await statement(*args, timeout=STATEMENT_TIMEOUT_S)
            except BROKEN as error:
                self.connection.terminate()
                raise SessionLost(f"the connection to the database broke: {error!r}") from error

    async def ask(self, run_batch: "RunBatch[Q, A]", parameters: Q) -> A:
        """Run a query in a batch with other queries of its kind. Raises `SessionLost` if the connection is lost, or
        PostgreSQL's error if it refuses this query."""
        answer: A = await self._batcher_of(run_batch)(parameters)
        return answer

    def enqueue(self, run_batch: "RunBatch[Q, A]", parameters: Q) -> None:
        """Queue a query for a batch without waiting for its result. Errors of the query or the connection are not
        reported to the caller."""
        self._batcher_of(run_batch).enqueue(parameters)

    def _batcher_of(self, run_batch: "RunBatch[Q, A]") -> QueryBatcher[Q, A]:
        if run_batch not in self._batchers:
            self._batchers[run_batch] = QueryBatcher(self.do, self.connection, run_batch)
        return self._batchers[run_batch]
