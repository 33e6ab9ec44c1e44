"""List organisations, reopen closed ones and erase their data, as the operator: with the login that owns the tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from llmbench.db.connection import connected
from llmbench.db.tables import metadata
from llmbench.errors import LlmbenchError
from llmbench.ids import new_id

if TYPE_CHECKING:
    import asyncpg

OPERATOR: Final = "operator"
"""The operator's name in the audit log. The operator has no account, so the entry names no person."""
_KEPT: Final = frozenset({"organisation", "audit_entry", "loose_file"})
"""The tables whose rows an erasure keeps: the organisation itself, its audit log, and the files still to be deleted."""
_LISTED: Final = """
SELECT id, slug, organisation.name, plan, closed_at,
       (SELECT count(*) FROM membership WHERE membership.org_id = organisation.id) AS members,
       (SELECT count(*) FROM run WHERE run.org_id = organisation.id) AS runs
FROM organisation ORDER BY slug
"""
_REOPEN: Final = """
UPDATE organisation SET closed_at = NULL, version = version + 1, updated_at = now()
WHERE id = $1 AND closed_at IS NOT NULL RETURNING id
"""
_ACTIVE: Final = "SELECT count(*) FROM run WHERE org_id = $1 AND status IN ('RUNNING', 'PAUSING')"
_FILES: Final = """
INSERT INTO loose_file (org_id, uri)
SELECT $1, file_uri FROM dataset_version WHERE org_id = $1
UNION SELECT $1, file_uri FROM document WHERE org_id = $1
ON CONFLICT DO NOTHING
"""
_ENTRY: Final = """
INSERT INTO audit_entry (id, org_id, person_name, action, resource, resource_id)
VALUES ($1, $2, $3, $4, 'organisation', $5)
"""


@dataclass(frozen=True)
class Listed:
    id: UUID
    slug: str
    name: str
    plan: str
    closed_at: datetime | None
    members: int
    runs: int


class Impossible(LlmbenchError):
    """Raised for an organisation that does not exist, or whose state does not allow the change."""


async def list_organisations(owner_url: str) -> list[Listed]:
    async with connected(owner_url, application_name="llmbench organisations", everybody=True) as connection:
        return [Listed(**row) for row in await connection.fetch(_LISTED)]


async def reopen(owner_url: str, slug: str) -> None:
    """Reopen a closed organisation. Its members, keys and links work as before. Raises `Impossible` if no organisation
    with this slug is closed."""
    async with (
        connected(owner_url, application_name="llmbench organisations", everybody=True) as connection,
        connection.transaction(),
    ):
        id_ = await _find(connection, slug)
        if await connection.fetchval(_REOPEN, id_) is None:
            raise Impossible(f"the organisation {slug!r} is open")
        await connection.execute(_ENTRY, new_id(), id_, OPERATOR, "reopened", str(id_))


async def erase(owner_url: str, slug: str) -> int:
    """Delete everything of a closed organisation but its name and its audit log. Return the number of deleted rows.

    If the transaction is interrupted, nothing is deleted. Uploaded files are recorded in the table `loose_file`, and
    config-api deletes them within two hours. Raises `Impossible` if the organisation does not exist, is open, or has an
    active run.
    """
    async with (
        connected(owner_url, application_name="llmbench organisations", everybody=True) as connection,
        connection.transaction(),
    ):
        id_ = await _find(connection, slug)
        closed = await connection.fetchval("SELECT closed_at FROM organisation WHERE id = $1 FOR UPDATE", id_)
        if closed is None:
            raise Impossible(f"the organisation {slug!r} is open; an owner closes it at /settings/organisation")
        if active := await connection.fetchval(_ACTIVE, id_):
            raise Impossible(f"{active} runs of {slug!r} are still ending; try again when their calls have ended")
        await connection.execute(_FILES, id_)
        erased = 0
        for table in _owned_tables():
            done = await connection.execute(f"DELETE FROM {table} WHERE org_id = $1", id_)  # noqa: S608
            erased += int(done.removeprefix("DELETE "))
        await connection.execute("DELETE FROM person WHERE service_of = $1", id_)
        await connection.execute(_ENTRY, new_id(), id_, OPERATOR, "erased", str(id_))
        return erased


def _owned_tables() -> Sequence[str]:
    """Return the tables with rows of organisations, each before the tables that it refers to."""
    tables = reversed(metadata.sorted_tables)
    return [table.name for table in tables if "org_id" in table.columns and table.name not in _KEPT]


async def _find(connection: "asyncpg.Connection[asyncpg.Record]", slug: str) -> UUID:
    found: UUID | None = await connection.fetchval("SELECT id FROM organisation WHERE slug = $1", slug)
    if found is None:
        slugs = await connection.fetch("SELECT slug FROM organisation ORDER BY slug LIMIT 20")
        raise Impossible(f"there is no organisation {slug!r}; there are {', '.join(row['slug'] for row in slugs)}")
    return found
