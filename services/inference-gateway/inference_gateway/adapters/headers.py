"""Decrypt providers' headers. Every call reads them from the database, so a run continues once the user corrects a
key."""

import base64
from collections.abc import Sequence

from inference_gateway.adapters.lock_session import LockSession
from inference_gateway.ports import ProviderHeaders, StoredHeader
from llmbench.contracts.list_models import SentHeader
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.db.secrets import Binding, SecretBox
from llmbench.errors import SecretsLocked
from llmbench.organisation import bound_organisation

_READ = (
    "SELECT header_key, plain_value, sealed_value FROM provider_header "
    "WHERE provider_id = $1 AND org_id = $2 ORDER BY position"
)


class SealedHeaders:
    def __init__(self, locks: LockSession, box: SecretBox) -> None:
        self._locks = locks
        self._box = box

    async def of(self, provider: ProviderSnapshot) -> ProviderHeaders:
        """Read and decrypt a saved provider's headers. Raises `SecretsLocked` if the master key does not decrypt them,
        and `SessionLost` without a database session."""
        session = self._locks.current()
        rows = await session.do(session.connection.fetch, _READ, provider.provider_id, bound_organisation())
        return self.stored(provider, [StoredHeader(*row) for row in rows])

    def sent(self, provider: ProviderSnapshot, sent: Sequence[SentHeader]) -> ProviderHeaders:
        """Decrypt the headers that a request carries. Raises `SecretsLocked` if a secret is not Base64, or if the
        master key does not decrypt it."""
        return self.stored(provider, [_received(header) for header in sent])

    def stored(self, provider: ProviderSnapshot, stored: Sequence[StoredHeader]) -> ProviderHeaders:
        """Decrypt headers from the database. Raises `SecretsLocked` if the master key does not decrypt them."""
        values: dict[str, str] = {}
        secrets: list[str] = []
        for header in stored:
            if header.sealed is None:
                values[header.key] = header.plain or ""
                continue
            # The secret is bound to the URL in the run's snapshot, so a key is never sent to another origin.
            binding = Binding(provider.provider_id, header.key, provider.base_url)
            values[header.key] = self._box.open(header.sealed, binding)
            secrets.append(values[header.key])
        return ProviderHeaders(values, tuple(secrets))


def _received(header: SentHeader) -> StoredHeader:
    if header.sealed is None:
        return StoredHeader(header.key, plain=header.value)
    try:
        return StoredHeader(header.key, sealed=base64.b64decode(header.sealed, validate=True))
    except ValueError:
        raise SecretsLocked(f"the header {header.key!r} was not sent sealed") from None
