"""One PostgreSQL login per service that uses the database, allowed no more than the service needs.

One writer per table (ARCHITECTURE.md), kept by the server: a service writes its own tables, and reads those
that a foreign key ties to them. Migrations are the owner's, who is none of these. Where nobody makes these
logins, every service uses the one of `LLMBENCH_DATABASE_URL`, as ever.

No SQLAlchemy here: the supervisor of `llmbench up` uses this and stays small.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import asyncpg


@dataclass(frozen=True)
class Grants:
    """What a service may do."""

    role: str
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    # Rows it may lock against changes: PostgreSQL wants the right to update one column for that.
    locks: tuple[tuple[str, str], ...] = ()


SERVICE_GRANTS = {
    "config-api": Grants(
        role="llmbench_config_api",
        writes=(
            "organisation",
            "provider",
            "provider_header",
            "task",
            "collection",
            "collection_task",
            "dataset",
            "dataset_version",
            "test_case",
            "ground_truth",
            "evaluation_preset",
            "loose_file",
            "document",
            "document_page",
            "config_outbox",
        ),
        reads=("run", "run_group", "target", "run_dataset_version"),
    ),
    "orchestrator": Grants(
        role="llmbench_orchestrator",
        writes=(
            "run",
            "run_collection",
            "run_dataset_version",
            "target",
            "run_group",
            "item",
            "evaluator_revision",
            "run_evaluator",
            "score",
            "run_event",
            "run_outbox",
            "idempotency_key",
            "run_block",
            "spanning_cluster",
            "counted_block",
            "block_cluster",
            "block_figure",
            "block_score_figure",
            "run_ranking",
            "webhook",
        ),
        reads=(
            "organisation",
            "provider",
            "task",
            "collection",
            "collection_task",
            "dataset",
            "dataset_version",
            "test_case",
            "ground_truth",
            "model_call",
        ),
        # A run holds its providers and dataset versions while it is created.
        locks=(("provider", "created_at"), ("dataset_version", "created_at")),
    ),
    "inference-gateway": Grants(
        role="llmbench_inference_gateway",
        writes=("model_call",),
        reads=("run", "provider", "provider_header"),
    ),
}
_LOCK = 7_214_601_338


async def ensure_logins(owner_url: str, passwords: Mapping[str, str]) -> list[str]:
    """Make the login of each service in `passwords` (service → password), and renew the rights of every login that
    is there. Returns the roles. Idempotent; in one transaction, under a lock.

    Raises `ValueError` for a service that has no login, and PostgreSQL's errors.
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
                await _ensure_role(connection, SERVICE_GRANTS[service].role, password)
            there = {row["rolname"] for row in await connection.fetch("SELECT rolname FROM pg_roles")}
            found = [grants for grants in SERVICE_GRANTS.values() if grants.role in there]
            for grants in found:
                await connection.execute(_statements(grants))
            return [grants.role for grants in found]
    finally:
        await connection.close()


async def _ensure_role(
    connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record] | asyncpg.Connection[asyncpg.Record]",
    role: str,
    password: str,
) -> None:
    verb = "ALTER" if await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role) else "CREATE"
    # A statement of this kind takes no parameters; the server does the quoting.
    statement = await connection.fetchval(
        f"SELECT format('{verb} ROLE %I LOGIN PASSWORD %L', $1::text, $2::text)", role, password
    )
    await connection.execute(statement)


def _statements(grants: Grants) -> str:
    role = grants.role
    statements = [
        # From nothing, so that a right that is needed no more goes.
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
        f"GRANT USAGE ON SCHEMA public TO {role}",
        # Services check the schema's version.
        f"GRANT SELECT ON alembic_version, {', '.join(grants.reads)} TO {role}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(grants.writes)} TO {role}",
        *(f"GRANT UPDATE ({column}) ON {table} TO {role}" for table, column in grants.locks),
    ]
    return "; ".join(statements)
