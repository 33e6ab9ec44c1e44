"""Connect to NATS, encrypted where the settings say so."""

import asyncio
import contextlib
import ssl
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError

from llmbench.tls import NatsTls

_CLOSE_S = 0.5
_ENCRYPTED = ("tls:", "wss:")


class NotEncrypted(NatsError):
    def __str__(self) -> str:
        return (
            "the server does not encrypt connections, but LLMBENCH_NATS_URL begins with tls:// or a "
            "LLMBENCH_NATS_TLS_ setting is there: configure `tls` at the server, or remove them"
        )


class EncryptedClient(Client):
    """A client that sends its login only over an encrypted connection.

    nats-py encrypts only if the server asks for it. An attacker on the network could suppress that request, and read
    the password.
    """

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        server = self._current_server
        over_websocket = server is not None and server.uri.scheme == "wss"
        if initial_connection and not info.get("tls_required") and not over_websocket:
            raise NotEncrypted
        await super()._process_info(info, initial_connection)


def servers_of(url: str) -> list[str]:
    """Return the URLs of the servers in `url`, which are separated by commas."""
    return [server.strip() for server in url.split(",")]


def is_encrypted(url: str, tls: NatsTls) -> bool:
    """Return whether connections have to be encrypted: one of the servers' URLs or a setting says so."""
    return bool(tls) or any(server.lower().startswith(_ENCRYPTED) for server in servers_of(url))


def tls_context(url: str, tls: NatsTls) -> ssl.SSLContext | None:
    """Return the context for encrypted connections; `None` if they are not encrypted."""
    return tls.context() if is_encrypted(url, tls) else None


async def connect(url: str, tls: NatsTls, **options: Any) -> Client:
    """Return a connected nats-py client, with nats-py's options. Raises nats-py's errors, `OSError` and
    `TimeoutError`, and `ValueError` for a file of `tls` that cannot be used."""
    context = tls_context(url, tls)
    client = Client() if context is None else EncryptedClient()
    if context is not None:
        options["tls"] = context
    try:
        await client.connect(servers_of(url), **options)
    except (NatsError, OSError, TimeoutError):
        # The connection may still be open. After a failed handshake, nats-py would wait in vain for its end.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_S):
                await client.close()
        raise
    return client
