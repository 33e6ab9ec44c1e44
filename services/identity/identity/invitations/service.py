"""Invite people by a link, which is shown once."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, insert, select

from identity.bodies import Page, page_of
from identity.invitations.schemas import InvitationCreated, InvitationIn, InvitationOut
from identity.people import lock_organisation, require_room_for_member
from identity.problems import missing
from identity.state import Connections
from identity.tokens import new_token, token_hash
from identity.trail import Actor, record
from llmbench.access import Principal, may_grant
from llmbench.db.tables import invitation
from llmbench.errors import Problem
from llmbench.ids import new_id

PAGE = "/invitation"
_OPEN = invitation.c.used_at.is_(None) & invitation.c.created_by.is_not(None)


class InvitationService:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def list(self, *, cursor: UUID | None, limit: int) -> Page[InvitationOut]:
        query = select(invitation).where(_OPEN).order_by(invitation.c.id.desc()).limit(limit + 1)
        if cursor is not None:
            query = query.where(invitation.c.id < cursor)
        async with self._opened.engine.connect() as connection:
            rows = [InvitationOut.model_validate(dict(row._mapping)) for row in await connection.execute(query)]
        items, next_cursor = page_of(rows, limit)
        return Page(items=items, next_cursor=next_cursor)

    async def create(self, body: InvitationIn, asking: Principal, actor: Actor) -> InvitationCreated:
        """Create an invitation. Raises a 403 `Problem` for a role that the person may not give. Also raises it if
        members and open invitations have reached the limit of the plan."""
        if not may_grant(asking.role, body.role):
            raise Problem(403, "Not allowed", f"Only an owner may invite somebody as {body.role.value}.")
        token = new_token()
        values = {
            "id": new_id(),
            "token_hash": token_hash(token),
            "role": body.role.value,
            "email": body.email,
            "created_by": asking.person_id,
            "expires_at": func.now() + timedelta(days=body.expires_in_days),
        }
        async with self._opened.engine.begin() as connection:
            # Lock first, then count, so that two simultaneous invitations cannot use the same free place.
            await lock_organisation(connection)
            unused = select(func.count()).select_from(invitation).where(_OPEN, invitation.c.expires_at > func.now())
            invited = (await connection.execute(unused)).scalar_one()
            await require_room_for_member(connection, invited=invited)
            row = (await connection.execute(insert(invitation).values(values).returning(*invitation.c))).one()
            after = {"role": body.role.value, "email": body.email}
            await record(connection, actor, "created", "invitation", id_=row.id, after=after)
        made = InvitationOut.model_validate(dict(row._mapping))
        return InvitationCreated(**made.model_dump(), token=token, path=f"{PAGE}#{token}")

    async def delete(self, id_: UUID, actor: Actor) -> None:
        """Withdraw an invitation, so that its link stops working."""
        async with self._opened.engine.begin() as connection:
            gone = delete(invitation).where(invitation.c.id == id_, _OPEN).returning(invitation.c.role)
            role = (await connection.execute(gone)).scalar_one_or_none()
            if role is None:
                raise missing("invitation", id_)
            await record(connection, actor, "deleted", "invitation", id_=id_, before={"role": role})
