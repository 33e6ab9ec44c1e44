"""Make, list and revoke API keys."""

from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, insert, select

from identity.api_keys.schemas import ApiKeyCreated, ApiKeyIn, ApiKeyOut
from identity.bodies import Page, page_of
from identity.problems import missing, unique
from identity.state import Connections
from identity.tokens import new_api_key, token_hash
from identity.trail import Actor, record
from llmbench.access import Principal, all_allowed
from llmbench.db.tables import api_key, person
from llmbench.errors import Problem
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
        """Make a key. Raises a 403 `Problem` for scopes that the person, or the key that asks, does not have."""
        scopes = body.scopes
        if scopes is None and asking.scopes is not None:
            scopes = sorted(asking.scopes)
        if beyond := sorted(set(scopes or ()) - set(all_allowed(asking))):
            raise Problem(403, "Not allowed", f"You cannot give {beyond[0]}, because you do not have it.")
        made = new_api_key(new_id())
        values = {
            "id": made.id,
            "name": body.name,
            "person_id": asking.person_id,
            "secret_hash": token_hash(made.secret),
            "scopes": scopes,
            "expires_at": body.expires_at,
        }
        with unique("api_key_org_id_name_key", field="name"):
            async with self._opened.engine.begin() as connection:
                await connection.execute(insert(api_key).values(values))
                after = {"name": body.name, "scopes": scopes}
                await record(connection, actor, "created", "api-key", id_=made.id, after=after)
                row = (await connection.execute(_keys().where(api_key.c.id == made.id))).one()
        return ApiKeyCreated(**row._mapping, key=made.text)

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
