"""A provider's headers, read from its table at each call, so that a corrected key heals a run."""

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import asyncpg

from inference_gateway.adapters.lock_session import LockSession
from inference_gateway.ports import ProviderHeaders
from llmbench.contracts.list_models import SentHeader
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import SecretsLocked
from llmbench.secrets import Binding, SecretBox

if TYPE_CHECKING:
    # Generic in the stubs alone.
    Connection = asyncpg.Connection[asyncpg.Record]

_READ = """
SELECT provider_id, header_key, is_secret, plain_value, sealed_value FROM provider_header
WHERE provider_id = ANY ($1::uuid[]) ORDER BY position
"""


async def _read(
    connection: "Connection", providers: Sequence[UUID], timeout: float
) -> "Sequence[Sequence[asyncpg.Record]]":
    rows = await connection.fetch(_READ, set(providers), timeout=timeout)
    return [[row for row in rows if row["provider_id"] == provider] for provider in providers]


class SealedHeaders:
    def __init__(self, locks: LockSession, box: SecretBox) -> None:
        self._locks = locks
        self._box = box

    async def of(self, provider: ProviderSnapshot) -> ProviderHeaders:
        """Raises `SecretsLocked` or `SessionLost`."""
        session = self._locks.current()
        rows = await session.ask(_read, provider.provider_id)
        values: dict[str, str] = {}
        secrets: list[str] = []
        for row in rows:
            key = row["header_key"]
            if row["is_secret"]:
                # Bound to the URL the run remembers: a key does not follow to another origin.
                value = self._box.open(row["sealed_value"], Binding(provider.provider_id, key, provider.base_url))
                secrets.append(value)
            else:
                value = row["plain_value"]
            values[key] = value
        return ProviderHeaders(values, tuple(secrets))

    def opened(self, provider: ProviderSnapshot, sent: Sequence[SentHeader]) -> ProviderHeaders:
        """Raises `SecretsLocked`, also when what was sent is no sealed secret."""
        values: dict[str, str] = {}
        secrets: list[str] = []
        for header in sent:
            if header.sealed is None:
                values[header.key] = header.value or ""
                continue
            try:
                sealed = base64.b64decode(header.sealed, validate=True)
            except ValueError:
                raise SecretsLocked(f"the header {header.key!r} was not sent sealed") from None
            values[header.key] = self._box.open(sealed, Binding(provider.provider_id, header.key, provider.base_url))
            secrets.append(values[header.key])
        return ProviderHeaders(values, tuple(secrets))
