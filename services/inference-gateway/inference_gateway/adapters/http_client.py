"""The HTTP client of all calls: connects to addresses that were looked at, follows nothing, remembers nothing.

Every connection takes its socket from one function, which sees the very address that is about to be connected to:
whatever a name stood for a moment ago, and however an address is written, it cannot pass by (DNS rebinding).
"""

import socket
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import aiohttp
import httpx
from aiohttp.abc import AbstractResolver
from httpx_aiohttp import AiohttpTransport, HttpxAiohttpClient

from llmbench.addresses import LINK_LOCAL, is_link_local, literal

CONNECT_TIMEOUT_S = 10.0
KEEP_IDLE_S = 4.0
"""Idle connections are given up before most servers do (uvicorn after 5 s): a call sent into a closing one would
count as lost."""

# The lanes limit the calls, not the pool: in aiohttp's words, 0 is no limit.
_LIMITS = httpx.Limits(max_connections=0, keepalive_expiry=KEEP_IDLE_S)


class ForbiddenAddress(OSError):
    """Nothing was sent: nobody may be called there."""


class ProviderClient(HttpxAiohttpClient):
    """Proxies of the environment are used, except to reach this machine itself. A proxy looks names up itself."""

    def __init__(self, *, link_local_allowed: bool = False, resolver: AbstractResolver | None = None) -> None:
        self._link_local_allowed = link_local_allowed
        self._resolver = resolver
        self._direct = AiohttpTransport(client=self._session)
        super().__init__(
            timeout=httpx.Timeout(None, connect=CONNECT_TIMEOUT_S),
            limits=_LIMITS,
            follow_redirects=False,
            mounts={f"all://{host}": self._direct for host in ("localhost", "127.0.0.1", "[::1]")},
            # Compression would hold back the first token.
            headers={"Accept-Encoding": "identity", "User-Agent": "llmbench"},
            # Providers share this client: what one sets must not reach another on the same host.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )

    def _init_transport(self, *_: Any, **__: Any) -> httpx.AsyncBaseTransport:
        return self._direct

    def _init_proxy_transport(self, proxy: httpx.Proxy, *_: Any, **__: Any) -> httpx.AsyncBaseTransport:
        transport = AiohttpTransport(proxy=proxy)
        # The proxy itself may be anywhere.
        transport.client = lambda: _session(ssl=transport.ssl_context)
        return transport

    def _session(self) -> aiohttp.ClientSession:
        return _session(ssl=self._direct.ssl_context, resolver=self._resolver, socket_factory=self._socket)

    def _socket(self, about: Any) -> socket.socket:
        """Raises `ForbiddenAddress`."""
        family, type_, protocol, _, address = about
        if not self._link_local_allowed and is_link_local(str(address[0])):
            raise ForbiddenAddress(LINK_LOCAL)
        return socket.socket(family, type_, protocol)

    def check(self, url: httpx.URL) -> None:
        """What the URL itself tells, for proxies connect without asking us. Raises `ForbiddenAddress`, or `ValueError`
        for an address in another spelling than its own."""
        address = literal(url.host)
        if address is not None and not self._link_local_allowed and is_link_local(str(address)):
            raise ForbiddenAddress(LINK_LOCAL)


def _session(**options: Any) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_IDLE_S, **options)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
