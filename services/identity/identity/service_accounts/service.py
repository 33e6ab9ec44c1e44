"""Create, list and delete service accounts: accounts of programs, stored as people who cannot sign in and who belong to
one organisation."""

from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, insert, select

from identity.bodies import Page, page_of
from identity.people import delete_member, insert_member
from identity.problems import missing
from identity.service_accounts.schemas import ServiceAccountIn, ServiceAccountOut
from identity.state import Connections
from identity.trail import Actor, record
from llmbench.access import Principal, Role, may_grant
from llmbench.db.tables import api_key, membership, person
from llmbench.errors import Problem
from llmbench.ids import new_id

DOMAIN = "service.invalid"
"""The domain of the invented e-mail addresses of service accounts. RFC 2606 reserves it, so no person can have such an
address."""


class ServiceAccountService:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def list(self, *, cursor: UUID | None, limit: int) -> Page[ServiceAccountOut]:
        query = _accounts().order_by(person.c.id).limit(limit + 1)
        if cursor is not None:
            query = query.where(person.c.id > cursor)
        async with self._opened.engine.connect() as connection:
            rows = [ServiceAccountOut.model_validate(dict(row._mapping)) for row in await connection.execute(query)]
        items, next_cursor = page_of(rows, limit)
        return Page(items=items, next_cursor=next_cursor)

    async def create(self, body: ServiceAccountIn, asking: Principal, actor: Actor) -> ServiceAccountOut:
        """Create an account. Raises a 403 `Problem` for a role that the requesting person may not give."""
        if not may_grant(asking.role, body.role):
            raise Problem(403, "Not allowed", f"You may not give the role {body.role.value}.")
        id_ = new_id()
        values = {"id": id_, "email": f"{id_.hex}@{DOMAIN}", "name": body.name, "service_of": asking.org_id}
        async with self._opened.engine.begin() as connection:
            await connection.execute(insert(person).values(values))
            await insert_member(connection, asking.org_id, id_, body.role)
            after = {"name": body.name, "role": body.role.value}
            await record(connection, actor, "created", "service-account", id_=id_, after=after)
            row = (await connection.execute(_accounts().where(person.c.id == id_))).one()
        return ServiceAccountOut.model_validate(dict(row._mapping))

    async def delete(self, id_: UUID, asking: Principal, actor: Actor) -> None:
        """Delete the account's keys and membership. The row in `person` stays, because runs name the account as their
        creator."""
        async with self._opened.engine.begin() as connection:
            row = (await connection.execute(_accounts().where(person.c.id == id_))).one_or_none()
            if row is None:
                raise missing("service account", id_)
            if not may_grant(asking.role, Role(row.role)):
                raise Problem(403, "Not allowed", "You may not delete an account of this role.")
            gone = delete(api_key).where(api_key.c.person_id == id_).returning(api_key.c.id)
            ended = list((await connection.execute(gone)).scalars())
            await delete_member(connection, id_)
            before = {"name": row.name, "role": row.role}
            await record(connection, actor, "deleted", "service-account", id_=id_, before=before)
        await self._opened.revoke(ended)


def _accounts() -> Select[Any]:
    return (
        select(person.c.id, person.c.name, membership.c.role, membership.c.created_at)
        .join(membership, membership.c.person_id == person.c.id)
        .where(person.c.service_of.is_not(None))
    )
