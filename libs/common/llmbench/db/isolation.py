"""Check that a service's login to PostgreSQL cannot see the rows of all organisations at once."""

from typing import TYPE_CHECKING

import asyncpg

from llmbench.errors import BadSettings

if TYPE_CHECKING:
    # `asyncpg.Connection` is generic only in the type stubs.
    Connection = asyncpg.Connection[asyncpg.Record]

_EXEMPT = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"


async def require_isolation(connection: "Connection") -> None:
    """Raise `BadSettings` for a login that row-level security does not apply to, such as a superuser's."""
    if await connection.fetchval(_EXEMPT):
        raise BadSettings(
            "with LLMBENCH_AUTH=on the login in LLMBENCH_DATABASE_URL may be neither a superuser nor have BYPASSRLS: "
            "PostgreSQL would show it the data of all organisations (docs/how-to/use-your-own-servers.md)"
        )
