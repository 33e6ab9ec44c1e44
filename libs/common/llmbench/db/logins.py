"""Create PostgreSQL logins for the services, with the least rights that each needs.

PostgreSQL then enforces the rule of one writer per table (ARCHITECTURE.md): a service writes its own tables, and reads
those that it needs. Migrations run with the login that owns the tables. Without separate logins, every service uses the
login in `LLMBENCH_DATABASE_URL`.

This module does not import SQLAlchemy, to keep the supervisor of `llmbench up` small.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import asyncpg

from llmbench.db.everybody import EXEMPT, ROLES
from llmbench.db.grants import Grants
from llmbench.db.service_grants import SERVICE_GRANTS

__all__ = ["SERVICE_GRANTS", "Grants", "ensure_logins"]

_TABLES = sorted({table for grants in SERVICE_GRANTS.values() for table in grants.writes})


if TYPE_CHECKING:
    # These classes are generic only in the type stubs.
    Connection = asyncpg.pool.PoolConnectionProxy[asyncpg.Record] | asyncpg.Connection[asyncpg.Record]

_EXEMPTION = "everybody"
_LOCK = 7_214_601_338
_KNOWS_MAINTAIN = 17
_LIMITS = {"statement_timeout": "2min", "idle_in_transaction_session_timeout": "15min"}
"""Limits on abandoned statements and transactions. Services give up on a statement after a minute.

A transaction may be idle while an uploaded file is read, which has its own limit. Migrations run as the owner, without
these limits.
"""


async def ensure_logins(owner_url: str, passwords: Mapping[str, str]) -> list[str]:
    """Create the logins of the services in `passwords` (service → password), or set the passwords of existing ones.
    Then reset the rights of all existing logins of services, even those not in `passwords`.

    A service with loops that serve all organisations has a second login with the same password
    (`llmbench.db.everybody`).

    Returns the names of the logins whose rights were reset. Idempotent; runs in one transaction, under a lock. Raises
    `ValueError` for an unknown service, and PostgreSQL's errors.
    """
    if unknown := passwords.keys() - SERVICE_GRANTS.keys():
        raise ValueError(
            f"no database login for: {', '.join(sorted(unknown))}; there is one for each of {', '.join(SERVICE_GRANTS)}"
        )
    connection = await asyncpg.connect(owner_url, timeout=10)
    try:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            for service, password in passwords.items():
                for grants in _logins(service):
                    await _ensure_role(connection, grants.role, password)
            there = {row["rolname"] for row in await connection.fetch("SELECT rolname FROM pg_roles")}
            grants_of_login = [each for name in SERVICE_GRANTS for each in _logins(name) if each.role in there]
            for grants in grants_of_login:
                await connection.execute(_statements(grants))
                if grants.maintains and connection.get_server_version().major >= _KNOWS_MAINTAIN:
                    await connection.execute(f"GRANT MAINTAIN ON {', '.join(grants.maintains)} TO {grants.role}")
            await _exempt(connection, [role for role in EXEMPT if role in there])
            return [grants.role for grants in grants_of_login]
    finally:
        await connection.close()


def _logins(service: str) -> list[Grants]:
    return [SERVICE_GRANTS[service], *([ROLES[service]] if service in ROLES else [])]


async def _exempt(connection: "Connection", roles: Sequence[str]) -> None:
    """Let `roles` see the rows of all organisations in every table that a service writes. Do nothing without roles.

    A table for which exactly these roles have this right already is left unchanged. A change would wait until no
    transaction uses the table.
    """
    right = {
        row["tablename"]
        for row in await connection.fetch(
            "SELECT tablename FROM pg_policies WHERE schemaname = 'public' AND policyname = $1 "
            "AND roles::text[] @> $2 AND roles::text[] <@ $2",
            *(_EXEMPTION, roles),
        )
    }
    for table in _TABLES:
        if table in right or not roles:
            continue
        await connection.execute(f"DROP POLICY IF EXISTS {_EXEMPTION} ON {table}")
        await connection.execute(f"CREATE POLICY {_EXEMPTION} ON {table} TO {', '.join(roles)} USING (true)")


async def _ensure_role(
    connection: "Connection",
    role: str,
    password: str,
) -> None:
    verb = "ALTER" if await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role) else "CREATE"
    # `CREATE ROLE` takes no parameters, so the server quotes the values.
    statement = await connection.fetchval(
        f"SELECT format('{verb} ROLE %I LOGIN PASSWORD %L', $1::text, $2::text)", role, password
    )
    await connection.execute(statement)
    for name, value in _LIMITS.items():
        await connection.execute(f"ALTER ROLE {role} SET {name} = '{value}'")


def _statements(grants: Grants) -> str:
    role = grants.role
    statements = [
        # Revoke all rights first, so that rights which are no longer needed disappear.
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
        f"GRANT USAGE ON SCHEMA public TO {role}",
        # Every service reads the schema version.
        f"GRANT SELECT ON {', '.join(('alembic_version', *grants.reads))} TO {role}",
        *(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {role}" for table in grants.writes),
        *(f"GRANT UPDATE ({column}) ON {table} TO {role}" for table, column in grants.locks),
    ]
    return "; ".join(statements)
