"""Which headers a provider may have, and how a secret one is told from its mask."""

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
        # The HTTP client writes these; a second copy is how requests are smuggled.
        *("host", "content-length", "content-type", "transfer-encoding", "connection"),
        *("te", "trailer", "upgrade", "expect", "keep-alive", "proxy-connection"),
        # Names the call, so that what was paid for can be audited.
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
    """Raises `ValueError` for what cannot be sent, and for what a form shows in place of a secret."""
    if is_secret and _MASK.fullmatch(value):
        raise ValueError("is the mask of a secret, not a secret: leave it out to keep the stored one")
    if not _VALUE.fullmatch(value):
        raise ValueError("must be one line of printable ASCII characters")


def repeated(names: Sequence[str]) -> int | None:
    """Index of the first name that was there before, in any case."""
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name.lower() in seen:
            return index
        seen.add(name.lower())
    return None


HeaderKey = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_key)]
HeaderValue = Annotated[str, Field(min_length=1, max_length=8192)]
