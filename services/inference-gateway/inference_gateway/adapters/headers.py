"""A provider's headers, read from its table at each call, so that a corrected key heals a run."""

from inference_gateway.adapters.lock_session import LockSession
from inference_gateway.ports import ProviderHeaders
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.secrets import Binding, SecretBox

_READ = """
SELECT header_key, is_secret, plain_value, sealed_value FROM provider_header
WHERE provider_id = $1 ORDER BY position
"""


class SealedHeaders:
    def __init__(self, locks: LockSession, box: SecretBox) -> None:
        self._locks = locks
        self._box = box

    async def of(self, provider: ProviderSnapshot) -> ProviderHeaders:
        """Raises `SecretsLocked` or `SessionLost`."""
        session = self._locks.current()
        rows = await session.do(session.connection.fetch, _READ, provider.provider_id)
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
