"""Create and parse the secrets that people and programs present: the tokens of sessions and links, and API keys.

All have at least 256 random bits, so SHA-256 is a sufficient hash to store.
"""

import base64
import hashlib
import re
import secrets
import string
import zlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

_ALPHABET: Final = string.digits + string.ascii_letters
_SECRET_CHARACTERS: Final = 43
_CHECKSUM_CHARACTERS: Final = 6
_API_KEY: Final = re.compile(
    rf"llmb_(?P<id>[0-9a-f]{{32}})_(?P<secret>[0-9A-Za-z]{{{_SECRET_CHARACTERS}}})"
    rf"(?P<checksum>[0-9A-Za-z]{{{_CHECKSUM_CHARACTERS}}})"
)


def new_token() -> str:
    """Return a random token for a session or a link."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", errors="surrogatepass")).digest()


def csrf_token_of(session_token: str) -> str:
    """Return the token that a page has to send with requests that change something. It is derived from the session's
    own token, so it needs no storage. Pages cannot read the session's own token."""
    digest = hashlib.sha256(b"llmbench csrf\0" + session_token.encode("utf-8", errors="surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass(frozen=True)
class ApiKey:
    """The parts of an API key's text."""

    id: UUID
    secret: str

    @property
    def text(self) -> str:
        """Return the key in the form that its user gets: `llmb_<id>_<secret><checksum>`."""
        begin = f"llmb_{self.id.hex}_{self.secret}"
        return begin + _checksum(begin)


def new_api_key(id_: UUID) -> ApiKey:
    return ApiKey(id_, "".join(secrets.choice(_ALPHABET) for _ in range(_SECRET_CHARACTERS)))


def parse_api_key(text: str) -> ApiKey | None:
    """Return the parts of a key; `None` if the text is no key. The checksum finds a typing mistake without a look into
    the database, and lets scanners of leaked secrets recognise keys."""
    match = _API_KEY.fullmatch(text)
    if match is None or _checksum(text[:-_CHECKSUM_CHARACTERS]) != match["checksum"]:
        return None
    return ApiKey(UUID(match["id"]), match["secret"])


def _checksum(text: str) -> str:
    number, characters = zlib.crc32(text.encode()), []
    for _ in range(_CHECKSUM_CHARACTERS):
        number, digit = divmod(number, len(_ALPHABET))
        characters.append(_ALPHABET[digit])
    return "".join(characters)
