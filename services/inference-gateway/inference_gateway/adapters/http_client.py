"""The HTTP client of all calls to providers: it refuses forbidden addresses, follows no redirect, keeps no cookies.

A single function creates the socket of every direct connection and checks the resolved address. So neither DNS
rebinding nor an unusual notation of an address can circumvent the check.
"""

import os
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import certifi
from aiohttp.abc import AbstractResolver
from yarl import URL

from llmbench.http.addresses import LINK_LOCAL, PRIVATE, is_link_local, is_public, literal
from llmbench.http.listeners import OWN, Listeners

CONNECT_TIMEOUT_S: Final = 10.0
KEEP_IDLE_S: Final = 4.0
"""Seconds until the client closes an idle connection. Most servers close it later (uvicorn after 5 s).

A request would fail if the server closed its connection at the same moment.
"""

# The caller enforces the total time limit of a call.
_TIMEOUT: Final = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S)
# Request no compression: it would delay the first token.
_HEADERS: Final = {"Accept-Encoding": "identity", "User-Agent": "llmbench", "Content-Type": "application/json"}
_LEFT_ALONE: Final = "%/:@!$&'()*+,;=~?[]"
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class ForbiddenAddress(OSError):
    """Raised when the address of a request is forbidden; nothing was sent.

    Addresses of llmbench itself are always forbidden. Link-local addresses are forbidden unless the client allows them,
    and private addresses unless the organisation may call them.
    """


@dataclass(frozen=True)
class _Where:
    url: URL
    authorization: str | None
    """The Basic credentials from the URL."""
    proxy: str | None


class ProviderClient:
    """The HTTP client, used as `async with ProviderClient() as client`.

    It uses the proxies in the environment variables, except for localhost and the hosts in `NO_PROXY`. With a proxy
    only the host in the URL is checked, because the proxy resolves names itself. `private_allowed` is called for each
    request. It returns whether the organisation that makes the request may call private addresses.
    """

    def __init__(
        self,
        *,
        link_local_allowed: bool = False,
        private_allowed: Callable[[], bool] = lambda: True,
        own: Listeners | None = None,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._link_local_allowed = link_local_allowed
        self._private_allowed = private_allowed
        self._own = own or Listeners()
        self._resolver = resolver
        self._where = lru_cache(maxsize=1024)(self._look_at)
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        tls = _tls()
        direct = _session(ssl=tls, resolver=self._resolver, socket_factory=self._socket)
        self._direct = await self._open.enter_async_context(direct)
        # This session has its own connections: an organisation that may not call private addresses must not use an
        # open connection to one.
        public = _session(ssl=tls, resolver=self._resolver, socket_factory=self._public_socket)
        self._public = await self._open.enter_async_context(public)
        # No `socket_factory` here: the address of the proxy itself is not checked.
        self._by_proxy = await self._open.enter_async_context(_session(ssl=tls))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    @asynccontextmanager
    async def request(
        self, method: str, url: str, body: bytes | None, *headers: Mapping[str, str]
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request and yield its response.

        Later headers override earlier ones and the client's defaults, whatever their case. Credentials in the URL
        override an `Authorization` header.

        Raises `ForbiddenAddress`, and aiohttp's errors. Raises `ValueError` for an address in an unusual notation, and
        for a header that HTTP cannot carry.
        """
        where = self._where(url)
        sent = _merged(_HEADERS, *headers)
        if where.authorization is not None:
            sent["authorization"] = ("Authorization", where.authorization)
        await self._own.refresh(where.url.port)
        private_allowed = self._private_allowed()
        session = self._direct if private_allowed else self._public
        if where.proxy is not None:
            if self._own.has_url(url):
                raise ForbiddenAddress(OWN)
            address = literal(where.url.host or "")
            if not private_allowed and address is not None and not is_public(str(address)):
                raise ForbiddenAddress(PRIVATE)
            session = self._by_proxy
        async with session.request(
            method,
            where.url,
            data=body,
            headers=dict(sent.values()),
            proxy=where.proxy,
            allow_redirects=False,
        ) as response:
            yield response

    def _look_at(self, url: str) -> _Where:
        where = URL(url)
        if where.scheme not in ("http", "https") or not where.host:
            raise ValueError("no URL of HTTP")
        self._check(where.host)
        authorization = None
        if where.user is not None or where.password is not None:
            # aiohttp refuses a URL with credentials together with an `Authorization` header.
            authorization = aiohttp.encode_basic_auth(where.user or "", where.password or "", encoding="utf-8")
        return _Where(_as_written(url, where), authorization, _proxy_to(where))

    def _socket(self, about: Any) -> socket.socket:
        """Create the socket of a connection. Raises `ForbiddenAddress` for an address that must not be called."""
        family, type_, protocol, _, address = about
        if self._own.has(str(address[0]), int(address[1])):
            raise ForbiddenAddress(OWN)
        if not self._link_local_allowed and is_link_local(str(address[0])):
            raise ForbiddenAddress(LINK_LOCAL)
        return socket.socket(family, type_, protocol)

    def _public_socket(self, about: Any) -> socket.socket:
        """Create the socket of a connection to a public address. Raises `ForbiddenAddress` for any other address."""
        if not is_public(str(about[4][0])):
            raise ForbiddenAddress(PRIVATE)
        return self._socket(about)

    def _check(self, host: str) -> None:
        """Raise `ForbiddenAddress` if the host in the URL is a link-local address, unless the client allows them.
        `_socket` checks direct connections only, not those that a proxy makes."""
        address = literal(host)
        if address is not None and not self._link_local_allowed and is_link_local(str(address)):
            raise ForbiddenAddress(LINK_LOCAL)


def _as_written(url: str, where: URL) -> URL:
    """Return `url` without credentials. `where` is the same URL, parsed. Only invalid characters in path and query are
    quoted, because a server may distinguish `%3A` from a colon."""
    parts = urlsplit(url)
    return URL.build(
        scheme=where.scheme,
        authority=where.raw_authority.rpartition("@")[2],
        path=quote(parts.path, safe=_LEFT_ALONE),
        query_string=quote(parts.query, safe=_LEFT_ALONE),
        encoded=True,
    )


def _proxy_to(where: URL) -> str | None:
    proxies = getproxies()
    proxy = proxies.get(where.scheme) or proxies.get("all")
    # `proxy_bypass` comes last: on macOS it may query a name server.
    if not proxy or where.host in _HERE or proxy_bypass(f"{where.host}:{where.port}"):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _merged(*headers: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Merge headers by lower-case name; later ones win. Raises `ValueError` for characters outside Latin-1."""
    merged: dict[str, tuple[str, str]] = {}
    for each in headers:
        for name, value in each.items():
            for part in (name, value):
                if not part.isascii():
                    part.encode("latin-1")
            merged[name.lower()] = (name, value)
    return merged


def _session(**options: Any) -> aiohttp.ClientSession:
    # Each model group limits its own concurrent calls, so aiohttp's pool has no limit (0).
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_IDLE_S, **options)
    return aiohttp.ClientSession(
        connector=connector,
        # Providers share a session: a cookie from one must not be sent to another on the same host.
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=_TIMEOUT,
        auto_decompress=False,
    )


def _tls() -> ssl.SSLContext:
    """Return a TLS context. It trusts the certificates in the file SSL_CERT_FILE, else those in the folder
    SSL_CERT_DIR, else certifi's."""
    return _trusting(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _trusting(file: str | None, folder: str | None) -> ssl.SSLContext:
    # Reading the certificates takes 20 ms of CPU time.
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=None if file else folder)
    return ssl.create_default_context(cafile=certifi.where())
