"""Find and use the links that make a person a member: the link for the first owner, and the links of invitations."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.problems import gone
from llmbench.access import Role
from llmbench.db.tables import invitation, organisation


@dataclass(frozen=True)
class Link:
    """A valid link by which a person becomes a member, with the organisation and the role that it gives. `first` is
    true for the link by which the first owner signs up, and false for an invitation."""

    id: UUID
    org_id: UUID
    role: Role
    first: bool


async def find_link(everybody: AsyncConnection, token_hash: bytes, *, first: bool = False) -> Link:
    """Return the link whose token has this hash. With `first`, only the link of the first owner is found; otherwise,
    only an invitation by a person.

    Raises a 410 `Problem` if the link is unknown, used or expired, or its organisation is closed.
    """
    query = (
        select(invitation)
        .join(organisation, organisation.c.id == invitation.c.org_id)
        .where(
            invitation.c.token_hash == token_hash,
            invitation.c.used_at.is_(None),
            invitation.c.expires_at > func.now(),
            organisation.c.closed_at.is_(None),
        )
    )
    row = (await everybody.execute(query)).one_or_none()
    if row is None or (row.created_by is None) != first:
        raise gone()
    return Link(row.id, row.org_id, Role(row.role), first)


async def use_link(connection: AsyncConnection, link: Link) -> None:
    """Mark the link as used. Raises a 410 `Problem` if another request has used it first."""
    used = update(invitation).where(
        invitation.c.id == link.id, invitation.c.used_at.is_(None), invitation.c.expires_at > func.now()
    )
    if (await connection.execute(used.values(used_at=func.now()))).rowcount != 1:
        raise gone()
