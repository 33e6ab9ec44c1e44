"""Build the URLs of calls (base URL plus endpoint, on the same origin), and show URLs without credentials."""

from functools import lru_cache
from urllib.parse import urlsplit, urlunsplit

from llmbench.db.secrets import origin


class ForeignEndpoint(ValueError):
    """Raised when the endpoint is a URL on another origin than the base URL: headers must not be sent there."""


def endpoint_url(base_url: str, endpoint: str) -> str:
    """Return the URL of an endpoint: a path, which is appended to `base_url`, or a URL on the same origin.

    Raises `ForeignEndpoint` for a URL on another origin.
    """
    if "://" in endpoint:
        if origin(endpoint) != origin(base_url):
            raise ForeignEndpoint(f"the endpoint {shown(endpoint)} is on another origin than {shown(base_url)}")
        return endpoint
    return f"{base_url.rstrip('/')}/{endpoint.lstrip('/')}"


@lru_cache(maxsize=1024)
def shown(url: str) -> str:
    """Return the URL without user, password, query and fragment, each of which may hold a key. For a malformed URL,
    return a text that says so."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        netloc = f"{host}:{parts.port}" if parts.port else host
    except ValueError:
        return "(a malformed URL)"
    return urlunsplit((parts.scheme, netloc, parts.path, "", ""))


def is_local(url: str) -> bool:
    """Return whether the URL's host means this machine: localhost, a loopback address or 0.0.0.0."""
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        return False
    return host in ("localhost", "::1", "0.0.0.0") or host.startswith("127.")  # noqa: S104  # compared, not bound
