"""Webhooks according to the Standard Webhooks specification: secrets, signatures, allowed URLs, times of retries.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import base64
import binascii
import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from llmbench.http.addresses import is_link_local, is_public, literal

MAX_ATTEMPTS: Final = 8
_GROWTH: Final = 4
_JITTER: Final = 0.2
_PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = range(24, 65)
_MAX_URL_CHARACTERS: Final = 2_000


def secret_of(key: bytes) -> str:
    """Return the secret that encodes the key: `whsec_` and the key in base64."""
    return _PREFIX + base64.b64encode(key).decode()


def key_of(secret: str) -> bytes:
    """Return the key that the secret encodes. Raises `ValueError` if the secret is malformed."""
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(_PREFIX) or len(key) not in _SECRET_BYTES:
        raise ValueError("has to be `whsec_` and 24 to 64 random bytes in base64; leave it out to have one generated")
    return key


def signed(body: bytes, *, id: str, at: datetime, secret: str) -> dict[str, str]:
    """Return the headers that authenticate sender and time of `body`: HMAC-SHA256 over `id.timestamp.body`.

    >>> from datetime import UTC
    >>> secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    >>> at = datetime.fromtimestamp(1614265330, UTC)
    >>> signed(b'{"test": 2432232314}', id="msg_p5jXN8AQM9LWM0D4loKWxJek", at=at, secret=secret)["webhook-signature"]
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    timestamp = str(int(at.timestamp()))
    content = f"{id}.{timestamp}.".encode() + body
    signature = base64.b64encode(hmac.new(key_of(secret), content, hashlib.sha256).digest()).decode()
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": f"v1,{signature}"}


def next_attempt(attempts: int, now: datetime, *, first_s: float, jitter: float) -> datetime | None:
    """Return the time of the next attempt; `None` if there is none left.

    `attempts` is the number of failed attempts. The first wait is `first_s` seconds, and each further wait is four
    times as long. `jitter` (0…1) varies each wait by up to 20 % in both directions.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    delay_s = first_s * _GROWTH ** (attempts - 1)
    return now + timedelta(seconds=delay_s * (1 - _JITTER + 2 * _JITTER * jitter))


def check_url(url: str, *, private_allowed: bool) -> None:
    """Raise `ValueError` if the URL is malformed, has a user name or a fragment, or names a forbidden address.
    Link-local addresses are always forbidden, other private addresses unless `private_allowed` is true. Host names are
    not resolved here."""
    if len(url) > _MAX_URL_CHARACTERS:
        raise ValueError(f"has more than {_MAX_URL_CHARACTERS:,} characters")
    if not url.isascii() or any(ord(character) <= 32 or ord(character) == 127 for character in url):
        raise ValueError("has a character that is not allowed in a URL: encode it")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise ValueError("is not a URL like https://example.com/hook")
    if parts.username is not None or parts.fragment:
        raise ValueError("must have neither a user name nor a fragment")
    address = literal(host)
    if address is not None and is_link_local(str(address)):
        raise ValueError(METADATA.format(host=host))
    if private_allowed:
        return
    # The addresses of a host name are checked at each delivery.
    local = host.rstrip(".") == "localhost" or host.rstrip(".").endswith(".localhost")
    if local if address is None else not is_public(str(address)):
        raise ValueError(PRIVATE.format(host=host))


METADATA: Final = (
    "{host} is a link-local or metadata address, where clouds keep a machine's credentials: no webhook goes there"
)
PRIVATE: Final = (
    "{host} is a private address; the operator of llmbench can allow these with "
    "LLMBENCH_ORCHESTRATOR_PRIVATE_WEBHOOKS=true"
)
