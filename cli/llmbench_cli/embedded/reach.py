"""Wait until a PostgreSQL or NATS server responds and accepts the login of its URL."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import asyncpg

from llmbench.service.settings import database_address, nats_address
from llmbench.tls import NO_TLS, NatsTls, database_tls_trouble, nats_tls_trouble
from llmbench_cli.embedded.errors import StartError

PATIENCE_S = 10.0
"""The time in which a server must respond: long enough for one that is starting, short enough for a wrong address."""
_ATTEMPT_S = 5.0
_PAUSE_S = 0.25

Note = Callable[[str], None]


class _NoResponse(Exception):
    """Raised when the server gives no response; it may still be starting."""


async def reach_database(url: str, note: Note, *, patience_s: float = PATIENCE_S) -> None:
    """Return once the database accepts the login. `note` is called once if the server does not respond at first.

    Raises StartError: at once if the URL is invalid or the server refuses the connection, and after `patience_s`
    without a response.
    """

    async def attempt() -> None:
        try:
            connection = await asyncpg.connect(url, timeout=_ATTEMPT_S)
        except (asyncpg.CannotConnectNowError, asyncpg.TooManyConnectionsError, OSError, TimeoutError) as away:
            if trouble := database_tls_trouble(away):
                raise StartError(f"PostgreSQL at {where(url)} refuses the connection: {trouble}") from away
            raise _NoResponse(_reason(away)) from away
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as refused:
            raise StartError(f"PostgreSQL at {where(url)} refuses the connection: {_reason(refused)}") from refused
        await connection.close()

    _checked("LLMBENCH_DATABASE_URL", url, database_address)
    await _patiently("PostgreSQL", url, attempt, note, patience_s)


async def reach_nats(url: str, note: Note, *, tls: NatsTls = NO_TLS, patience_s: float = PATIENCE_S) -> None:
    """Return once NATS accepts the login and has JetStream. `note` is called once if the server does not respond at
    first.

    A login that may not query JetStream is accepted. Raises StartError: at once if the URL is invalid, the connection
    is refused or JetStream is missing, and after `patience_s` without a response.
    """
    # Import late: with the embedded server the client is not needed in memory.
    from nats.errors import Error as NatsError
    from nats.errors import NoServersError
    from nats.js.errors import Error as JetStreamError
    from nats.js.errors import ServiceUnavailableError

    from llmbench.messaging.connect import connect

    reasons: list[Exception] = []

    async def record_error(error: Exception) -> None:
        reasons.append(error)

    async def attempt() -> None:
        try:
            async with asyncio.timeout(_ATTEMPT_S):
                # One attempt per server: the client alone would retry for two minutes.
                client = await connect(
                    url,
                    tls,
                    allow_reconnect=False,
                    max_reconnect_attempts=1,
                    reconnect_time_wait=0,
                    error_cb=record_error,
                )
        except (NoServersError, OSError, TimeoutError) as away:
            reason = reasons[-1] if reasons else away
            if trouble := nats_tls_trouble(reason):
                raise StartError(f"NATS at {where(url)} refuses the connection: {trouble}") from away
            raise _NoResponse(_reason(reason)) from away
        except ValueError as wrong:
            raise StartError(f"the settings of NATS are wrong: {wrong}") from None
        except NatsError as refused:
            raise StartError(f"NATS at {where(url)} refuses the connection: {_reason(refused)}") from refused
        try:
            await client.jetstream().account_info()
        except ServiceUnavailableError as without:
            raise StartError(f"NATS at {where(url)} has no JetStream: start it with `--jetstream`") from without
        except (JetStreamError, NatsError, TimeoutError):
            # The login may not query JetStream. The services will report which rights they lack.
            return
        finally:
            await client.close()

    _checked("LLMBENCH_NATS_URL", url, nats_address)
    await _patiently("NATS", url, attempt, note, patience_s)


def where(url: str) -> str:
    """Return host and port of a URL, without the login. A URL of several servers gives them separated by commas."""
    return ", ".join(
        urlsplit(server).netloc.rpartition("@")[2] or server.rpartition("@")[2] for server in url.split(",")
    )


def _checked(variable: str, url: str, check: Callable[[str], str]) -> None:
    try:
        check(url)
    except ValueError as wrong:
        raise StartError(f"{variable} {wrong}") from None


async def _patiently(
    what: str, url: str, attempt: Callable[[], Awaitable[None]], note: Note, patience_s: float
) -> None:
    deadline = time.monotonic() + patience_s
    noted = False
    while True:
        try:
            return await attempt()
        except _NoResponse as away:
            if time.monotonic() >= deadline:
                raise StartError(f"{what} at {where(url)} does not answer: {away}") from None
            if not noted:
                note(f"waiting up to {patience_s:.0f} s for {what} at {where(url)} ({away})")
                noted = True
        await asyncio.sleep(_PAUSE_S)


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).removeprefix("nats: ") or type(error).__name__).splitlines()[0]
