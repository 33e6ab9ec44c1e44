"""Check a request's `Host` and `Origin` against the hosts that a service serves and the origins that it trusts.

A host is a name by which the service is reached, such as its name in a container network. An origin is a web
application whose pages may send requests. The host of a trusted origin is accepted, too; an accepted host is not a
trusted origin.

There is no authentication on loopback (SECURITY.md). Requests whose `Host` is not accepted are refused, which prevents
DNS rebinding. WebSockets and state-changing requests that a page of another site makes a browser send are refused,
which prevents CSRF.
"""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.types import Scope

from llmbench.errors import Problem
from llmbench.http.addresses import is_loopback

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]*)?")
_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PROBES: Final = frozenset({"/health/live", "/health/ready", "/metrics"})
# Accepted values of `Sec-Fetch-Site`. `none` means that a person typed the URL. Only browsers send this header.
_OWN_SITES: Final = frozenset({"same-origin", "none"})


@dataclass(frozen=True)
class Door:
    """The accepted hosts and origins of a service, and the check of requests against them.

    A request needs a `Host` whose name is among `hosts`. With `any_host_may_probe`, requests for health and metrics may
    have any well-formed `Host`, because probes may use a container's address.
    """

    origins: frozenset[str]
    hosts: frozenset[str]
    any_host_may_probe: bool = False

    def refusal(self, scope: Scope) -> Problem | None:
        """Return the error response to a request or WebSocket that is refused; `None` if it is accepted.

        The status is 421 for a `Host` that is not accepted, and 403 for an `Origin` that is not trusted. It is also 403
        if a page of another site makes a browser send a WebSocket or a state-changing request (`Sec-Fetch-Site`).
        """
        return self._foreign_host(scope) or self._foreign_origin(scope) or _foreign_site(scope)

    def _foreign_host(self, scope: Scope) -> Problem | None:
        """Return `None` if the request has exactly one accepted `Host`, in a form that every proxy reads alike; else a
        421 `Problem`. With `any_host_may_probe`, every well-formed `Host` is accepted for health and metrics."""
        given = ", ".join(header_values(scope, b"host"))
        host = _HOST.fullmatch(given)
        if host is not None:
            if host["name"].strip("[]").lower() in self.hosts:
                return None
            if self.any_host_may_probe and scope["type"] == "http" and scope["path"] in _PROBES:
                return None
        return Problem(
            421,
            "Foreign host",
            f"This service does not answer for the host {given!r}. LLMBENCH_ALLOWED_HOSTS names more hosts.",
        )

    def _foreign_origin(self, scope: Scope) -> Problem | None:
        """Return a 403 `Problem` if the request has an `Origin` that is not trusted, else `None`."""
        for origin in header_values(scope, b"origin"):
            if origin not in self.origins:
                return Problem(
                    403,
                    "Foreign origin",
                    f"Requests from {origin} are refused; LLMBENCH_PUBLIC_ORIGINS names those allowed.",
                )
        return None


def door(*, origins: Sequence[str], hosts: Iterable[str] = (), listens_on: str = "127.0.0.1") -> Door:
    """Return the check of `Host` and `Origin` for a service.

    The service trusts the `origins`. It accepts `hosts`, the hosts of `origins`, and loopback. If it listens on another
    address than loopback (`listens_on`), it serves health and metrics for any host.
    """
    of_origins = {host for host in (urlsplit(origin).hostname for origin in origins) if host}
    return Door(
        frozenset(origins),
        _LOOPBACK | of_origins | {host.strip("[]").lower() for host in hosts},
        any_host_may_probe=not is_loopback(listens_on),
    )


def is_host_name(text: str) -> bool:
    """Return whether the text is a host name or an IP address, without scheme and port."""
    if ":" in text:
        return _is_ipv6(text.strip("[]"))
    return _HOST.fullmatch(text) is not None


def header_values(scope: Scope, name: bytes) -> list[str]:
    """Return the values of a request's header; an empty list if it has none. `name` is in lower case."""
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]


def _foreign_site(scope: Scope) -> Problem | None:
    """Return a 403 `Problem` if a page of another origin makes a browser send this request, else `None`. The header
    `Sec-Fetch-Site` shows that. HTTP requests that only read (GET, HEAD, OPTIONS) are not checked; WebSockets are."""
    if scope["type"] == "http" and scope["method"] in _READS:
        return None
    for site in header_values(scope, b"sec-fetch-site"):
        if site not in _OWN_SITES:
            return Problem(
                403,
                "Foreign site",
                f"A browser sent this request for another site (Sec-Fetch-Site: {site}), and it would change "
                "something here. Open the web application itself, or use a client that is no browser.",
            )
    return None


def _is_ipv6(address: str) -> bool:
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return True
