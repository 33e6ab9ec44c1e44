"""Validate a provider's headers. The mask that a form shows in place of a secret is refused as a secret's value."""

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

MAX_HEADERS = 50
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")
_MASK = re.compile(r"[•*●…]{3,}.{0,4}")

RESERVED = frozenset(
    {
        # The HTTP client sets these; a second copy would allow request smuggling.
        *("host", "content-length", "content-type", "transfer-encoding", "connection"),
        *("te", "trailer", "upgrade", "expect", "keep-alive", "proxy-connection"),
        # llmbench sends the id of the call in this header, for audits of paid calls.
        "x-client-request-id",
    }
)


def _key(name: str) -> str:
    if not _TOKEN.fullmatch(name):
        raise ValueError("is not a header name (letters, digits and !#$%&'*+-.^_`|~)")
    if name.lower() in RESERVED:
        raise ValueError(f"{name} is written by llmbench itself and cannot be set")
    return name


def check_value(value: str, *, is_secret: bool) -> None:
    """Raise `ValueError` unless the value is one line of printable ASCII. If `is_secret`, also raise it for the mask
    that a form shows in place of a secret, such as `•••1234`."""
    if is_secret and _MASK.fullmatch(value):
        raise ValueError("is the mask of a secret, not a secret: leave it out to keep the stored one")
    if not _VALUE.fullmatch(value):
        raise ValueError("must be one line of printable ASCII characters")


def repeated(names: Sequence[str]) -> int | None:
    """Return the index of the first name that occurred before, ignoring case; `None` if all names differ."""
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name.lower() in seen:
            return index
        seen.add(name.lower())
    return None


HeaderKey = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_key)]
HeaderValue = Annotated[str, Field(min_length=1, max_length=8192)]
