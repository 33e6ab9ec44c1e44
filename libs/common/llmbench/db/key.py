"""Check, before a service starts, whether its master key can decrypt the secrets in the database.

The check decrypts the stored headers of providers; there is no separate value for the check.
"""

import contextlib
from typing import TYPE_CHECKING, Protocol

import asyncpg
from pydantic import SecretStr

from llmbench.db.connection import checking, connected
from llmbench.db.everybody import everybody_url
from llmbench.db.secrets import Binding, SecretBox
from llmbench.db.version import require_head
from llmbench.errors import DatabaseUnavailable, SecretsLocked

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic only in the type stubs.
    Connection = asyncpg.Connection[asyncpg.Record]

_HEADERS = """
SELECT provider_id, header_key, base_url, sealed_value
FROM provider_header JOIN provider ON provider.id = provider_id WHERE is_secret
"""


class HasMasterKey(Protocol):
    """The settings that the check of the master key reads: the database's URL and the key."""

    @property
    def database_url(self) -> str: ...

    @property
    def master_key(self) -> SecretStr: ...


async def preflight(settings: HasMasterKey, service: str) -> None:
    """Check schema version and master key before the service with the name `service` starts.

    Raises `WrongSchemaVersion` if the schema is not the expected one, `SecretsLocked` if the key decrypts none of the
    secrets, and `BadSettings` if the key is too short. An unreachable database is ignored here: the service itself
    waits for it.
    """
    with contextlib.suppress(DatabaseUnavailable):
        async with checking():
            await require_fit(settings, service)


async def require_fit(settings: HasMasterKey, service: str) -> None:
    """Check schema version and master key.

    Raises `WrongSchemaVersion` if the schema is not the expected one, `SecretsLocked` if the key decrypts none of the
    secrets, and `BadSettings` if the key is too short. Raises one of the errors in `ASYNCPG_AWAY` if the database
    cannot be reached.
    """
    async with connected(everybody_url(settings.database_url), application_name=service, everybody=True) as connection:
        await require_head(connection)
        await require_key(connection, SecretBox(settings.master_key.get_secret_value()))


async def require_key(connection: "Connection", box: SecretBox) -> None:
    """Raise `SecretsLocked` if there are secret headers of providers and `box` decrypts none of them.

    The connection has to see the rows of all organisations, because all have the same master key. If `box` decrypts
    only some secrets, the key is accepted. An error about the others is raised when they are used.
    """
    headers = await connection.fetch(_HEADERS)
    if headers and not any(_opens(box, row) for row in headers):
        raise SecretsLocked(
            f"LLMBENCH_MASTER_KEY opens none of the {len(headers)} stored secrets: start with the key they were saved "
            "with; if `llmbench rotate-key` was interrupted, run it again (docs/how-to/rotate-the-key.md)"
        )


def _opens(box: SecretBox, row: asyncpg.Record) -> bool:
    try:
        box.open(row["sealed_value"], Binding(row["provider_id"], row["header_key"], row["base_url"]))
    except SecretsLocked:
        return False
    return True
