"""Distinguish addresses that only this machine can open from other addresses."""

import ipaddress
from urllib.parse import urlsplit


def is_loopback(url: str) -> bool:
    """Return whether the URL's host is this machine itself.

    >>> is_loopback("http://127.0.0.1:8400/x"), is_loopback("http://localhost"), is_loopback("https://bench.example.org")
    (True, True, False)
    """
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
