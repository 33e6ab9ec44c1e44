"""The HTTP client of all calls: connects to addresses that were looked at, follows nothing, remembers nothing.

Every connection takes its socket from one function, which sees the very address that is about to be connected to:
whatever a name stood for a moment ago, and however an address is written, it cannot pass by (DNS rebinding).
"""

import os
import socket
import ssl
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import certifi
from aiohttp.abc import AbstractResolver
from yarl import URL

from llmbench.addresses import LINK_LOCAL, is_link_local, literal

CONNECT_TIMEOUT_S: Final = 10.0
KEEP_IDLE_S: Final = 4.0
"""Idle connections are given up before most servers do (uvicorn after 5 s): a call sent into a closing one would
count as lost."""

# A call has a time of its own, which whoever makes it watches.
_TIMEOUT: Final = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S)
# Compression would hold back the first token.
_HEADERS: Final = {"Accept-Encoding": "identity", "User-Agent": "llmbench", "Content-Type": "application/json"}
_LEFT_ALONE: Final = "%/:@!$&'()*+,;=~?[]"
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class ForbiddenAddress(OSError):
    """Nothing was sent: nobody may be called there."""


@dataclass(frozen=True)
class _Where:
    url: URL
    authorization: str | None
    """Of the user and password in the URL."""
    proxy: str | None


class ProviderClient:
    """An open one is `async with ProviderClient() as client`. Proxies of the environment are used, except to reach this
    machine itself. A proxy looks names up itself."""

    def __init__(self, *, link_local_allowed: bool = False, resolver: AbstractResolver | None = None) -> None:
        self._link_local_allowed = link_local_allowed
        self._resolver = resolver
        self._where = lru_cache(maxsize=1024)(self._look_at)
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        tls = _tls()
        direct = _session(ssl=tls, resolver=self._resolver, socket_factory=self._socket)
        self._direct = await self._open.enter_async_context(direct)
        # The proxy itself may be anywhere.
        self._by_proxy = await self._open.enter_async_context(_session(ssl=tls))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.aclose()

    def request(
        self, method: str, url: str, body: bytes | None, *headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        """Later headers win, and all of them over ours, whatever their case.

        Raises `ForbiddenAddress`, or `ValueError` for what cannot be sent: an address in another spelling than its own,
        a header that HTTP cannot carry.
        """
        where = self._where(url)
        sent = _merged(_HEADERS, *headers)
        if where.authorization is not None:
            sent["authorization"] = ("Authorization", where.authorization)
        session = self._direct if where.proxy is None else self._by_proxy
        return session.request(
            method,
            where.url,
            data=body,
            headers=dict(sent.values()),
            proxy=where.proxy,
            allow_redirects=False,
        )

    def _look_at(self, url: str) -> _Where:
        where = URL(url)
        if where.scheme not in ("http", "https") or not where.host:
            raise ValueError("no URL of HTTP")
        self._check(where.host)
        authorization = None
        if where.user is not None or where.password is not None:
            # aiohttp refuses a URL with credentials beside a header of the same meaning.
            authorization = aiohttp.encode_basic_auth(where.user or "", where.password or "", encoding="utf-8")
        return _Where(_as_written(url, where), authorization, _proxy_to(where))

    def _socket(self, about: Any) -> socket.socket:
        """Raises `ForbiddenAddress`."""
        family, type_, protocol, _, address = about
        if not self._link_local_allowed and is_link_local(str(address[0])):
            raise ForbiddenAddress(LINK_LOCAL)
        return socket.socket(family, type_, protocol)

    def _check(self, host: str) -> None:
        """What the URL itself tells, for proxies connect without asking us."""
        address = literal(host)
        if address is not None and not self._link_local_allowed and is_link_local(str(address)):
            raise ForbiddenAddress(LINK_LOCAL)


def _as_written(url: str, where: URL) -> URL:
    """Path and query as they are, quoted only where no URL may have it: to a server %3A need not be a colon."""
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
    # The exceptions are looked at last: on a Mac that may ask a name server.
    if not proxy or where.host in _HERE or proxy_bypass(f"{where.host}:{where.port}"):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _merged(*headers: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """By the name in lower case. Raises `ValueError`: Latin-1 is what HTTP can carry."""
    merged: dict[str, tuple[str, str]] = {}
    for each in headers:
        for name, value in each.items():
            for part in (name, value):
                if not part.isascii():
                    part.encode("latin-1")
            merged[name.lower()] = (name, value)
    return merged


def _session(**options: Any) -> aiohttp.ClientSession:
    # The lanes limit the calls, not the pool: in aiohttp's words, 0 is no limit.
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_IDLE_S, **options)
    return aiohttp.ClientSession(
        connector=connector,
        # Providers share a session: what one sets must not reach another on the same host.
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=_TIMEOUT,
        auto_decompress=False,
    )


def _tls() -> ssl.SSLContext:
    """Certificates as most Python programs find them: those of the environment, or certifi's."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=None if file else folder)
    return ssl.create_default_context(cafile=certifi.where())
