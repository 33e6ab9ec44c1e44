"""Recognise the addresses of the platform's own servers: its services, its database and its broker.

They listen on the same machine or network as many providers and webhooks. A user who defines a provider or a webhook
must not be able to make the platform send requests to itself.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from llmbench.http.addresses import Address, carried, literal

OWN: Final = (
    "llmbench itself listens there (a service, the database or the broker), and it calls nobody at its own addresses; "
    "name another server"
)
LOOK_UP_TIMEOUT_S: Final = 2.0
FRESH_S: Final = 10.0
_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_LOOPBACK: Final = "127.0.0.1"

Place = tuple[str, int]
"""A pair of host and port. The host is a name or an address; `0.0.0.0` and `::` mean every address of this machine."""
LookUp = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host, for a connection to a port. Raises `OSError` if the host cannot be resolved."""


def places(text: str) -> tuple[Place, ...]:
    """Parse pairs `host:port`, separated by commas; an empty text gives none. Raises `ValueError` for anything else.

    >>> places("config-api:8000, [::1]:8400")
    (('config-api', 8000), ('::1', 8400))
    """
    return tuple(_place(part.strip()) for part in text.split(",") if part.strip())


def _place(text: str) -> Place:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
        if not host or not port or parts.netloc != text or "@" in text:
            raise ValueError
        literal(host)
    except ValueError:
        raise ValueError(f"{text!r} is no host:port, as in 127.0.0.1:8400 or edge:8400") from None
    return host, port


async def look_up(host: str, port: int) -> Sequence[str]:
    answers = await asyncio.get_running_loop().getaddrinfo(
        host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
    )
    return [str(answer[4][0]) for answer in answers]


class Listeners:
    """The addresses on which the platform's servers listen.

    `refresh` resolves their host names again, because the address of a container may change.
    """

    def __init__(
        self,
        listening: Iterable[Place] = (),
        *,
        look_up: LookUp = look_up,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look_up = look_up
        self._clock = clock
        self._hosts: dict[int, set[str]] = {}
        for host, port in listening:
            self._hosts.setdefault(port, set()).add(_LOOPBACK if _is_localhost(host) else host)
        self._found: dict[str, tuple[Address, ...]] = {}
        self._asked_at: dict[int, float] = {}

    async def refresh(self, port: int | None) -> None:
        """Resolve the host names of listeners at this port, unless that was tried in the last 10 s.

        If a name cannot be resolved within 2 s, its known addresses stay. If `port` is `None`, do nothing.
        """
        names = [host for host in self._hosts.get(port or 0, ()) if literal(host) is None]
        if port is None or not names:
            return
        now = self._clock()
        if now - self._asked_at.get(port, -FRESH_S) < FRESH_S:
            return
        await asyncio.gather(*(self._ask(name, port) for name in names))
        self._asked_at[port] = now

    async def _ask(self, name: str, port: int) -> None:
        with contextlib.suppress(OSError, UnicodeError):
            async with asyncio.timeout(LOOK_UP_TIMEOUT_S):
                self._found[name] = tuple(filter(None, map(literal, await self._look_up(name, port))))

    def has(self, address: str, port: int) -> bool:
        """Return whether a connection to this IP address and port reaches a listener.

        A listener with a host name counts with the addresses to which `refresh` has resolved it. Raises `ValueError`
        for an invalid address.
        """
        hosts = self._hosts.get(port)
        if not hosts:
            return False
        called = literal(address)
        return called is not None and any(
            _reaches(each, listener) for each in carried(called) for host in hosts for listener in self._addresses(host)
        )

    def has_url(self, url: str) -> bool:
        """Return whether the URL leads to a listener. Raises `ValueError` for an invalid URL.

        No name is resolved here. A URL is recognised if its host is an address, `localhost`, or the host name of a
        listener.
        """
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
        if host in self._hosts.get(port, ()):
            return True
        address = _LOOPBACK if _is_localhost(host) else host
        return literal(address) is not None and self.has(address, port)

    def _addresses(self, host: str) -> Sequence[Address]:
        address = literal(host)
        return self._found.get(host, ()) if address is None else (address,)


def _is_localhost(host: str) -> bool:
    bare = host.lower().rstrip(".")
    return bare == "localhost" or bare.endswith(".localhost")


def _reaches(called: Address, listener: Address) -> bool:
    """Return whether a connection to the address `called` reaches a server that listens on the address `listener`."""
    if listener.is_unspecified:
        return _is_here(called)
    if listener.is_loopback:
        # 127.0.0.0/8 and the unspecified address lead to this machine only.
        return called.is_loopback or called.is_unspecified
    return called == listener


def _is_here(address: Address) -> bool:
    """Return True when this machine has the address, tested by binding a socket to it."""
    if address.is_loopback or address.is_unspecified:
        return True
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((str(address), 0))
        return True
    return False
