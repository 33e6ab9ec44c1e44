"""Write the audit log: action, person, IP address, and the values before and after. It never gets secrets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db.tables import audit_entry
from llmbench.ids import new_id


@dataclass(frozen=True)
class Actor:
    """The person who acts, and the IP address of the person's client."""

    person_id: UUID
    name: str
    address: str


async def record(
    connection: AsyncConnection,
    actor: Actor,
    action: str,
    resource: str,
    *,
    id_: UUID | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Add an entry in the caller's transaction, so that every change has its entry. The entry belongs to the
    organisation that the transaction is bound to."""
    values = {
        "id": new_id(),
        "person_id": actor.person_id,
        "person_name": actor.name,
        "address": actor.address,
        "action": action,
        "resource": resource,
        "resource_id": None if id_ is None else str(id_),
        "before": before,
        "after": after,
    }
    await connection.execute(insert(audit_entry).values(values))
