"""Create, list and revoke API keys."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, insert, select

from identity.api_keys.schemas import ApiKeyCreated, ApiKeyIn, ApiKeyOut
from identity.bodies import Page, page_of
from identity.people import find_by_id, find_role
from identity.problems import missing, unique
from identity.state import Connections
from identity.tokens import new_api_key, token_hash
from identity.trail import Actor, record
from llmbench.access import Principal, all_allowed, may_grant
from llmbench.db.tables import api_key, person
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id


class ApiKeyService:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def list(self, *, cursor: UUID | None, limit: int) -> Page[ApiKeyOut]:
        query = _keys().order_by(api_key.c.id.desc()).limit(limit + 1)
        if cursor is not None:
            query = query.where(api_key.c.id < cursor)
        async with self._opened.engine.connect() as connection:
            rows = [ApiKeyOut.model_validate(dict(row._mapping)) for row in await connection.execute(query)]
        items, next_cursor = page_of(rows, limit)
        return Page(items=items, next_cursor=next_cursor)

    async def create(self, body: ApiKeyIn, asking: Principal, actor: Actor) -> ApiKeyCreated:
        """Create a key for the requesting person or for a service account. If the body names no scopes, the key gets
        the scopes of the requester's own session or key.

        Raises a `Problem`: 403 if the requester or the account lacks a requested scope, or if the requester may not
        give the account's role. The status is 422 if the account does not exist, and 409 if the name is taken.
        """
        holder = await self._holder(body, asking)
        scopes = body.scopes
        if scopes is None and asking.scopes is not None:
            scopes = sorted(asking.scopes)
        if beyond := sorted(set(scopes or ()) - (set(all_allowed(asking)) & set(all_allowed(holder)))):
            raise Problem(403, "Not allowed", f"You cannot give {beyond[0]}: you, or the account, do not have it.")
        made = new_api_key(new_id())
        values = {
            "id": made.id,
            "name": body.name,
            "person_id": holder.person_id,
            "secret_hash": token_hash(made.secret),
            "scopes": scopes,
            "expires_at": body.expires_at,
        }
        with unique("api_key_org_id_name_key", field="name"):
            async with self._opened.engine.begin() as connection:
                await connection.execute(insert(api_key).values(values))
                after = {"name": body.name, "scopes": scopes, "person_id": str(holder.person_id)}
                await record(connection, actor, "created", "api-key", id_=made.id, after=after)
                row = (await connection.execute(_keys().where(api_key.c.id == made.id))).one()
        return ApiKeyCreated(**row._mapping, key=made.text)

    async def _holder(self, body: ApiKeyIn, asking: Principal) -> Principal:
        """Return the principal that the key acts for: the requesting person or the service account, with all rights of
        the role. Raises a `Problem`: 422 if there is no such account, 403 if the person may not give the account's
        role."""
        own = replace(asking, scopes=None)
        if body.service_account_id is None:
            return own
        async with self._opened.engine.connect() as connection:
            account = await find_by_id(connection, body.service_account_id)
            role = await find_role(connection, body.service_account_id)
        if account is None or not account.is_service or role is None:
            fault = FieldError("service_account_id", "is no service account of this organisation")
            raise Problem(422, "Not valid", "There is no such service account.", errors=[fault])
        if not may_grant(asking.role, role):
            raise Problem(403, "Not allowed", f"You may not act for an account of the role {role.value}.")
        return replace(own, person_id=account.id, role=role)

    async def delete(self, id_: UUID, actor: Actor) -> None:
        """Revoke a key at once."""
        async with self._opened.engine.begin() as connection:
            gone = delete(api_key).where(api_key.c.id == id_).returning(api_key.c.name)
            name = (await connection.execute(gone)).scalar_one_or_none()
            if name is None:
                raise missing("API key", id_)
            await record(connection, actor, "deleted", "api-key", id_=id_, before={"name": name})
        await self._opened.revoke([id_])


def _keys() -> Select[Any]:
    columns = [column for column in api_key.c if column.name not in ("secret_hash", "org_id")]
    return select(*columns, person.c.name.label("person_name")).join(person, person.c.id == api_key.c.person_id)
