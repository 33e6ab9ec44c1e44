"""Open connections to PostgreSQL, and bind their transactions to an organisation. `ASYNCPG_AWAY` lists the exceptions
that may mean that the database cannot be reached."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import asyncpg

from llmbench.db.everybody import SETTING
from llmbench.errors import DatabaseUnavailable
from llmbench.organisation import bound_actor, bound_organisation

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic only in the type stubs.
    Connection = asyncpg.Connection[asyncpg.Record]
else:
    Connection = asyncpg.Connection

ASYNCPG_AWAY = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    # asyncpg raises this when the connection breaks between two steps of one query.
    asyncpg.InternalClientError,
)

CHECK_TIMEOUT_S = 4.0
"""The time limit of a database check, in seconds. It is less than the 5 s for which the supervisor waits for an answer
of `/health/ready`."""


@asynccontextmanager
async def checking(unavailable: tuple[type[Exception], ...] = ASYNCPG_AWAY) -> AsyncIterator[None]:
    """Limit the time of the `async with` block, which checks the database.

    Raises `DatabaseUnavailable` after `CHECK_TIMEOUT_S`, or when the block raises one of the errors `unavailable`.
    """
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_S):
            yield
    except unavailable as error:
        raise DatabaseUnavailable(error) from error


class BoundConnection(Connection):
    """A connection that binds its transactions to the organisation and person of the current task, if there are any.

    The settings `app.org` and `app.actor` hold their ids. They are sent together with BEGIN, so they cost no round
    trip. PostgreSQL resets them when the transaction ends. Statements outside a transaction are bound to no
    organisation.
    """

    __slots__ = ()

    async def execute(self, query: str, *args: Any, timeout: float | None = None) -> str:
        org_id = bound_organisation()
        if org_id is not None and query.startswith("BEGIN"):
            query = f"{query} SET LOCAL app.org = '{org_id}'"
            actor = bound_actor()
            if actor is not None:
                query = f"{query}; SET LOCAL app.actor = '{actor}'"
        return await super().execute(query, *args, timeout=timeout)


def session_settings(application_name: str, *, everybody: bool = False) -> dict[str, str]:
    """Return the server settings of a new session.

    `everybody` matters only to the login that owns the tables: it lets the session see the rows of all organisations.
    The exempt logins in `llmbench.db.everybody` see them in any case, and all other logins never do.
    """
    settings = {"application_name": application_name, "timezone": "UTC"}
    return settings | {SETTING: "on"} if everybody else settings


@asynccontextmanager
async def connected(
    database_url: str, *, application_name: str, everybody: bool = False
) -> AsyncIterator["Connection"]:
    """Open a connection, and close it at the end of the block. It is bound to no organisation.

    Raises one of the errors in `ASYNCPG_AWAY` if the database cannot be reached. With `everybody`, a login that owns
    the tables sees the rows of all organisations.
    """
    settings = session_settings(application_name, everybody=everybody)
    connection: Connection = await asyncpg.connect(
        database_url, timeout=10, command_timeout=60, server_settings=settings, statement_cache_size=0
    )
    try:
        yield connection
    except asyncio.CancelledError:
        # Closing would wait for a server that may not answer.
        connection.terminate()
        raise
    finally:
        await connection.close(timeout=5)
