"""Share one connection to PostgreSQL among many calls: one statement at a time, with similar queries batched."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg

from inference_gateway.adapters.together import Ask, Together
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
    """A database session. `held` has the keys of its locks, because PostgreSQL lets a session take its own lock
    twice."""

    connection: "Connection"
    held: set[str] = field(default_factory=set)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)
    _together: dict[Any, Together[Any, Any]] = field(default_factory=dict)

    @property
    def alive(self) -> bool:
        return not self.connection.is_closed()

    async def do(self, statement: Callable[..., Awaitable[T]], *args: Any) -> T:
        """Run one statement. Raises `SessionLost`, or PostgreSQL's error of the statement itself."""
        async with self._one_at_a_time:
            if not self.alive:
                raise SessionLost("the connection to the database is closed")
            try:
                return await statement(*args, timeout=STATEMENT_TIMEOUT_S)
            except BROKEN as error:
                self.connection.terminate()
                raise SessionLost(f"the connection to the database broke: {error!r}") from error

    async def ask(self, ask: "Ask[Q, A]", question: Q) -> A:
        """Run a query in a batch with other queries of its kind. Raises `SessionLost`, or PostgreSQL's error of this
        query alone."""
        answer: A = await self._with_others(ask)(question)
        return answer

    def tell(self, ask: "Ask[Q, A]", question: Q) -> None:
        """Queue a query for a batch without waiting for its result. A lost session is not reported."""
        self._with_others(ask).tell(question)

    def _with_others(self, ask: "Ask[Q, A]") -> Together[Q, A]:
        if ask not in self._together:
            self._together[ask] = Together(self.do, self.connection, ask)
        return self._together[ask]
