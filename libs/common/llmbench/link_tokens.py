"""Create and parse the tokens of links that work without sign-in: the organisation, and 256 random bits.

The token names the organisation because the database shows a request only the rows of one organisation. If a token is
changed to name another organisation, its link is not found there.
"""

import base64
import binascii
import hashlib
import re
import secrets
from typing import Final
from uuid import UUID

_RANDOM_BYTES: Final = 32
_ORGANISATION_BYTES: Final = 16
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{64}")


def new_token(organisation: UUID) -> str:
    """Return a new token, of 64 characters that are safe in an address. It consists of the organisation's id and random
    bytes."""
    return base64.urlsafe_b64encode(organisation.bytes + secrets.token_bytes(_RANDOM_BYTES)).decode()


def organisation_of(token: str) -> UUID | None:
    """Return the organisation that a token names; `None` for a text that is not a token.

    >>> organisation_of("hello") is None
    True
    """
    if not _TOKEN.fullmatch(token):
        return None
    try:
        return UUID(bytes=base64.urlsafe_b64decode(token)[:_ORGANISATION_BYTES])
    except (binascii.Error, ValueError):
        return None


def token_hash(token: str) -> bytes:
    """Return the hash under which a token is stored. SHA-256 is enough, because tokens are random."""
    return hashlib.sha256(token.encode()).digest()
