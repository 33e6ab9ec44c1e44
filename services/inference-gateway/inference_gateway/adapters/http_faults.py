"""Convert the exceptions of the HTTP library aiohttp, and their causes, to instances of `Fault`."""

import socket
import ssl
from collections.abc import Iterator

import aiohttp

from inference_gateway.adapters.http_client import ForbiddenAddress
from inference_gateway.domain.faults import Fault, FaultKind
from inference_gateway.domain.text import one_line

HTTP_ERRORS = (aiohttp.ClientError, OSError, ValueError)
"""The exceptions that sending a request may raise. `ValueError` covers header values and URLs that cannot be sent."""

_DETAIL_LIMIT = 160


def fault_of(error: BaseException) -> Fault:
    chain = list(_chain(error))
    for cause in chain:
        if isinstance(cause, ForbiddenAddress):
            return Fault(FaultKind.NOT_SENT, str(cause))
    for cause in chain:
        if isinstance(cause, aiohttp.ClientConnectorDNSError | socket.gaierror):
            return Fault(FaultKind.DNS)
    for cause in chain:
        if isinstance(cause, aiohttp.ClientSSLError | ssl.SSLError | ssl.CertificateError):
            return Fault(FaultKind.TLS, _tls_detail(cause))
    for cause in chain:
        if isinstance(cause, ConnectionRefusedError):
            return Fault(FaultKind.REFUSED)
    for cause in chain:
        kind = next((kind for type_, kind in _KINDS.items() if isinstance(cause, type_)), None)
        if kind is not None:
            return Fault(kind)
    detail = one_line(str(error) or type(error).__name__, _DETAIL_LIMIT)
    if isinstance(error, ValueError):
        # Leave the error's text out: it may quote a header's value.
        return Fault(FaultKind.NOT_SENT, "its URL or one of its headers cannot be sent as it is")
    return Fault(FaultKind.LOST, detail)


_KINDS: dict[type[BaseException], FaultKind] = {
    aiohttp.ConnectionTimeoutError: FaultKind.UNREACHABLE,
    aiohttp.ServerTimeoutError: FaultKind.TIMEOUT,
    aiohttp.ClientConnectorError: FaultKind.UNREACHABLE,
    aiohttp.ServerDisconnectedError: FaultKind.LOST,
    aiohttp.ClientPayloadError: FaultKind.LOST,
    aiohttp.ClientOSError: FaultKind.LOST,
    aiohttp.ClientResponseError: FaultKind.NOT_HTTP,
    # Any other error of a connection. Its text is left out: it may contain the proxy's URL with its password.
    aiohttp.ClientConnectionError: FaultKind.LOST,
    ConnectionResetError: FaultKind.LOST,
}


def _tls_detail(error: BaseException) -> str:
    certificate = getattr(error, "certificate_error", None) or error
    message = getattr(certificate, "verify_message", None) or getattr(certificate, "reason", None)
    return one_line(str(message or "the TLS handshake failed"), _DETAIL_LIMIT)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        # aiohttp keeps the operating system's error in `os_error`, outside the chain of causes.
        inner = getattr(current, "os_error", None)
        if isinstance(inner, OSError):
            yield inner
        current = current.__cause__ or current.__context__
