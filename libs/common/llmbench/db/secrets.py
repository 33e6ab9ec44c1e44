"""Encrypt stored secrets with AES-256-GCM and a key derived from MASTER_KEY.

They are the secrets of provider headers, webhooks and second factors, and the keys that sign identities. A sealed
value is bound to its place (`Binding`), so a copy elsewhere cannot be decrypted (SECURITY.md). Layout: version byte,
12-byte nonce, ciphertext with its 16-byte tag.
"""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from llmbench.errors import BadSettings, SecretsLocked

_VERSION = b"\x01"
_NONCE_BYTES = 12
_MIN_KEY_CHARACTERS = 32
WEBHOOK_SECRET = "webhook-signature"  # noqa: S105  # a header's name
"""The `header_key` in the binding of a webhook's secret."""

SIGNING_KEY = "principal-signing-key"
"""The `header_key` in the binding of a key with which the identity service signs."""

SECOND_FACTOR = "second-factor"
"""The `header_key` in the binding of the shared secret of a second factor."""

_HINTED_FROM_CHARACTERS = 12


@dataclass(frozen=True)
class Binding:
    """The place to which a secret is bound: its provider, its header, and the origin of `base_url`.

    Other secrets use the fields differently: `provider_id` is the id of the secret's row, and `header_key` is one of
    `WEBHOOK_SECRET`, `SIGNING_KEY` and `SECOND_FACTOR`. `base_url` is the URL of a webhook, otherwise empty.
    """

    provider_id: UUID
    header_key: str
    base_url: str

    def aad(self) -> bytes:
        return f"{self.provider_id}\n{self.header_key.lower()}\n{origin(self.base_url)}".encode()


def origin(url: str) -> str:
    """Return scheme, host and port of a URL (RFC 6454) in lower case, with the default port of HTTP or HTTPS written
    out."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return f"{parts.scheme.lower()}://{(parts.hostname or '').lower()}:{port}"


class SecretBox:
    def __init__(self, master_key: str) -> None:
        """Derive the encryption key. Raises `BadSettings` for a master key of less than 32 characters."""
        if len(master_key) < _MIN_KEY_CHARACTERS:
            raise BadSettings(f"MASTER_KEY must have at least {_MIN_KEY_CHARACTERS} characters")
        derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"llmbench provider headers v1")
        self._cipher = AESGCM(derive.derive(master_key.encode()))

    def seal(self, value: str, binding: Binding) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return _VERSION + nonce + self._cipher.encrypt(nonce, value.encode(), binding.aad())

    def open(self, sealed: bytes, binding: Binding) -> str:
        """Decrypt a sealed value. Raises `SecretsLocked` if the value was sealed with another key, for another binding,
        or by a newer llmbench."""
        if sealed[:1] != _VERSION:
            raise SecretsLocked("the secret was sealed by a newer llmbench")
        nonce, ciphertext = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        try:
            return self._cipher.decrypt(nonce, ciphertext, binding.aad()).decode()
        except InvalidTag:
            raise SecretsLocked(
                f"the secret header {binding.header_key} does not open: MASTER_KEY is not the one it was "
                "saved with, or the provider's URL changed; enter the secret again"
            ) from None


def hint(value: str) -> str | None:
    """Return the last four characters of a secret; `None` if the secret has less than 12 characters."""
    return value[-4:] if len(value) >= _HINTED_FROM_CHARACTERS else None
