"""Fetch documents of untrusted issuers over HTTP: with limits, without redirects, and from checked addresses only.

One function creates the socket of each connection and sees the resolved address. So neither DNS rebinding nor a URL in
an issuer's documents leads to the platform's own servers or to a cloud's metadata service.
"""

import asyncio
import json
import os
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
import certifi

from identity.openid_connect.failures import Reason, Refused
from llmbench.http.addresses import LINK_LOCAL, carried, is_link_local
from llmbench.http.json_depth import nests_deeper
from llmbench.http.listeners import OWN, Listeners

ANSWER_S: Final = 10.0
MOST_BYTES: Final = 256 * 1024
_MOST_DEPTH: Final = 20
_HEADERS: Final = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "llmbench"}


@dataclass(frozen=True)
class Question:
    """A request to an issuer; a GET if there is no body."""

    url: str
    body: str | None = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Answer:
    status: int
    document: dict[str, Any]


class Fetcher:
    """Sends requests to an issuer, but never to the platform's own servers (`own`). `loopback_allowed` permits
    addresses of this machine, for an issuer that runs here. `limit_s` is the time limit in seconds for an answer with
    its body."""

    def __init__(self, *, own: Listeners, loopback_allowed: bool, limit_s: float = ANSWER_S) -> None:
        self._own = own
        self._loopback_allowed = loopback_allowed
        self._limit_s = limit_s

    async def ask(self, question: Question) -> Answer:
        """Return the issuer's answer, a JSON object. Raises `Refused` if there is no such answer in time."""
        try:
            async with asyncio.timeout(self._limit_s):
                status, body = await self._send(question)
        except TimeoutError:
            raise Refused(Reason.UNAVAILABLE, f"{question.url} gave no answer within {self._limit_s:g} s") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise Refused(Reason.UNAVAILABLE, f"{question.url}: {error!r}") from None
        return Answer(status, _object(question.url, body))

    async def _send(self, question: Question) -> tuple[int, bytes]:
        parts = urlsplit(question.url)
        await self._own.refresh(parts.port or (443 if parts.scheme == "https" else 80))
        # Reading the certificates takes 20 ms of CPU time, so do it only for issuers that need them.
        tls = _tls() if parts.scheme == "https" else True
        # Use a new connector for each of these rare requests, so that issuers share no connection and no cookie.
        connector = aiohttp.TCPConnector(ssl=tls, socket_factory=self._socket, force_close=True)
        async with (
            aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False
            ) as session,
            session.request(
                "GET" if question.body is None else "POST",
                question.url,
                data=question.body,
                headers={**_HEADERS, **(question.headers or {})},
                allow_redirects=False,
            ) as response,
        ):
            if 300 <= response.status < 400:
                raise Refused(Reason.ISSUER, f"{question.url} redirects, which is not followed")
            body = bytearray()
            async for part in response.content.iter_chunked(16 * 1024):
                body += part
                if len(body) > MOST_BYTES:
                    raise Refused(Reason.ISSUER, f"{question.url} answers with more than {MOST_BYTES} bytes")
            return response.status, bytes(body)

    def _socket(self, about: Any) -> socket.socket:
        family, kind, protocol, _, address = about
        refusal = self._refusal(str(address[0]), int(address[1]))
        if refusal is not None:
            raise OSError(refusal)
        return socket.socket(family, kind, protocol)

    def _refusal(self, address: str, port: int) -> str | None:
        if self._own.has(address, port):
            return OWN
        if is_link_local(address):
            return LINK_LOCAL
        here = any(each.is_loopback or each.is_unspecified for each in carried(ip_address(address)))
        return "an issuer elsewhere may not lead to this machine" if here and not self._loopback_allowed else None


def _object(url: str, body: bytes) -> dict[str, Any]:
    try:
        if nests_deeper(body, _MOST_DEPTH):
            raise ValueError("nested too deep")
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(Reason.ISSUER, f"{url} does not answer with JSON: {error}") from None
    if not isinstance(document, dict):
        raise Refused(Reason.ISSUER, f"{url} does not answer with a JSON object")
    return document


def _tls() -> ssl.SSLContext:
    """Return a TLS context that trusts the certificates in SSL_CERT_FILE or SSL_CERT_DIR, or else certifi's."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=None if file else folder)
    return ssl.create_default_context(cafile=certifi.where())
