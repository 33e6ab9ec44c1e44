"""Validate a provider's URLs. Secrets are sent to these URLs, so ambiguous ones are refused."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from llmbench.http.addresses import LINK_LOCAL, is_link_local, literal
from llmbench.http.listeners import OWN, Listeners

MAX_URL_CHARACTERS = 2048
# The characters that RFC 3986 allows in a URL: no spaces, controls or backslashes, which parsers treat differently.
_URL_CHARACTERS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?")


def _base_url(url: str) -> str:
    """Return the URL without trailing slashes. Raises `ValueError`, whose message says what is wrong."""
    if not _URL_CHARACTERS.fullmatch(url):
        raise ValueError("contains characters that cannot stand in a URL")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("is not a URL: the host or the port is malformed") from None
    if parts.scheme.lower() not in ("http", "https"):
        raise ValueError("must start with http:// or https://")
    if "@" in parts.netloc:
        raise ValueError("must not contain a user name or password; use a secret header")
    if "?" in url or "#" in url:
        raise ValueError("must not contain a query or a fragment")
    host = parts.hostname or ""
    if not (_HOST.fullmatch(host) or ":" in host) or port == 0:
        raise ValueError("must name a host, as in http://127.0.0.1:11434")
    literal(host)
    return url.rstrip("/")


def refusal(base_url: str, *, link_local_allowed: bool, own: Listeners) -> str | None:
    """Return the reason why a provider must not have this URL; `None` if it may.

    The addresses of a host name are not checked here: the gateway checks the address to which it is about to connect.
    """
    if own.has_url(base_url):
        return OWN
    address = literal(urlsplit(base_url).hostname or "")
    return LINK_LOCAL if not link_local_allowed and address is not None and is_link_local(str(address)) else None


def _endpoint(path: str) -> str:
    """Return the path unchanged. Raises `ValueError` for an absolute URL: secrets go to the base URL's origin only."""
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError("must be a path that starts with one slash; it is appended to base_url")
    if "#" in path or not _URL_CHARACTERS.fullmatch(path):
        raise ValueError("contains characters that cannot stand in a path")
    return path


BaseUrl = Annotated[str, Field(min_length=1, max_length=MAX_URL_CHARACTERS), AfterValidator(_base_url)]
Endpoint = Annotated[str, Field(min_length=1, max_length=MAX_URL_CHARACTERS), AfterValidator(_endpoint)]
