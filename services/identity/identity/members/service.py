"""List the people of an organisation, change their roles, and remove them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.bodies import Page, page_of
from identity.members.schemas import MemberOut
from identity.people import delete_member, find_by_id, find_role, lock_owners, require_another_owner, set_role
from identity.problems import missing
from identity.sessions import end_sessions, live_sessions
from identity.state import Connections
from identity.trail import Actor, record
from llmbench.access import Principal, Role, may_grant
from llmbench.db.tables import api_key, membership, person
from llmbench.errors import Problem


class MemberService:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def list(self, *, cursor: UUID | None, limit: int) -> Page[MemberOut]:
        query = _members().order_by(person.c.id).limit(limit + 1)
        if cursor is not None:
            query = query.where(person.c.id > cursor)
        async with self._opened.engine.connect() as connection:
            rows = [MemberOut.model_validate(dict(row._mapping)) for row in await connection.execute(query)]
        items, next_cursor = page_of(rows, limit)
        return Page(items=items, next_cursor=next_cursor)

    async def change(self, id_: UUID, role: Role, asking: Principal, actor: Actor) -> MemberOut:
        """Give a member another role. Raises a `Problem`: 404 if there is no such member, 403 if the requesting person
        may not give the new role or take the old one, 409 for the last owner."""
        async with self._opened.engine.begin() as connection:
            before = await self._role(connection, id_)
            if not (may_grant(asking.role, role) and may_grant(asking.role, before)):
                raise Problem(403, "Not allowed", "Only an owner may make somebody an owner, or change an owner.")
            ended: Sequence[UUID] = ()
            if role is not before:
                if before is Role.OWNER:
                    await require_another_owner(connection, id_)
                await set_role(connection, id_, role)
                ended = await self._credentials(connection, id_)
                roles = {"before": {"role": before.value}, "after": {"role": role.value}}
                await record(connection, actor, "updated", "member", id_=id_, **roles)
            changed = (await connection.execute(_members().where(person.c.id == id_))).one()
        await self._opened.revoke(ended)
        return MemberOut.model_validate(dict(changed._mapping))

    async def remove(self, id_: UUID, asking: Principal, actor: Actor) -> None:
        """Remove a member, and end the member's sessions and API keys in this organisation. Raises a `Problem`: 404 if
        there is no such member, 403 if `asking` may not withdraw the member's role, 409 for the last owner."""
        async with self._opened.engine.begin() as connection:
            before = await self._role(connection, id_)
            if not may_grant(asking.role, before):
                raise Problem(403, "Not allowed", "Only an owner may remove an owner.")
            if before is Role.OWNER:
                await require_another_owner(connection, id_)
            gone = delete(api_key).where(api_key.c.person_id == id_).returning(api_key.c.id)
            ended = list((await connection.execute(gone)).scalars())
            ended += await end_sessions(connection, id_, org_id=asking.org_id)
            await delete_member(connection, id_)
            await record(connection, actor, "deleted", "member", id_=id_, before={"role": before.value})
        await self._opened.revoke(ended)

    async def _role(self, connection: AsyncConnection, id_: UUID) -> Role:
        await lock_owners(connection)
        role = await find_role(connection, id_, lock=True)
        person = await find_by_id(connection, id_)
        if role is None or person is None or person.is_service:
            raise missing("member", id_)
        return role

    async def _credentials(self, connection: AsyncConnection, id_: UUID) -> Sequence[UUID]:
        """Return the ids of a member's API keys and sessions. After a change of the role, WebSockets that were opened
        with them are closed, so that they get the new rights when they connect again."""
        keys = await connection.execute(select(api_key.c.id).where(api_key.c.person_id == id_))
        return [*keys.scalars(), *await live_sessions(connection, id_)]


def _members() -> Select[Any]:
    columns = (person.c.id, person.c.name, person.c.email, membership.c.role, membership.c.created_at)
    query = select(*columns).join(membership, membership.c.person_id == person.c.id)
    return query.where(person.c.service_of.is_(None))
