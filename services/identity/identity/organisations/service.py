"""Read, change, create and close organisations."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.organisations.schemas import OrganisationChange, OrganisationIn, OrganisationOut
from identity.people import insert_member
from identity.problems import unique
from identity.second_factor import REQUIRED, is_enabled
from identity.sessions import leave_organisation, weak_sessions
from identity.state import Connections
from identity.trail import Actor, record
from llmbench.access import Principal, Role
from llmbench.db.tables import api_key, organisation, plan
from llmbench.errors import FieldError, Problem
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench.organisation import working_for


class OrganisationService:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def current(self, asking: Principal) -> OrganisationOut:
        async with self._opened.engine.connect() as connection:
            return await _read(connection, asking.org_id)

    async def change(self, body: OrganisationChange, asking: Principal, actor: Actor) -> OrganisationOut:
        """Change those fields of the organisation that the body contains. Raises a 409 `Problem` if a name is taken.

        The change may require a second factor of every member. Then the open WebSockets of sessions without one are
        closed, and a requesting person without one gets a 409 `Problem`.
        """
        changes = body.model_dump(exclude_unset=True)
        for name in ("name", "slug", "settings"):
            if changes.get(name) is None:
                changes.pop(name, None)
        required = changes.pop(REQUIRED, None)
        mine = organisation.c.id == asking.org_id
        ended: list[UUID] = []
        with _unique_names():
            async with self._opened.engine.begin() as connection:
                before = (await connection.execute(select(organisation).where(mine).with_for_update())).one()
                if "settings" in changes or required is not None:
                    wanted = {**changes.get("settings", {}), **({} if required is None else {REQUIRED: required})}
                    changes["settings"] = _merged(before.settings, wanted)
                if required:
                    ended = await self._require_own_factor(connection, asking)
                values = {**changes, "version": organisation.c.version + 1, "updated_at": func.now()}
                await connection.execute(update(organisation).where(mine).values(values))
                old = {name: before._mapping[name] for name in changes}
                await record(connection, actor, "updated", "organisation", id_=asking.org_id, before=old, after=changes)
                changed = await _read(connection, asking.org_id)
        # Revoke these sessions: otherwise their open sockets would stay connected without a second factor.
        await self._opened.revoke(ended)
        return changed

    async def _require_own_factor(self, connection: AsyncConnection, asking: Principal) -> list[UUID]:
        """Return the ids of the organisation's sessions without a second factor. Raises a 409 `Problem` if the
        requesting person has no second factor: to require one would lock that person out."""
        if not await is_enabled(connection, asking.person_id):
            raise Problem(409, "No second factor", "Set up a second factor of your own before you require it.")
        return await weak_sessions(connection, asking.org_id)

    async def create(self, body: OrganisationIn, asking: Principal, actor: Actor) -> OrganisationOut:
        """Create an organisation whose only member is its creator, as owner."""
        id_ = new_id()
        values = {"id": id_, "name": body.name, "slug": body.slug}
        with working_for(id_), _unique_names():
            async with self._opened.engine.begin() as connection:
                await connection.execute(insert(organisation).values(values))
                await insert_member(connection, id_, asking.person_id, Role.OWNER)
                await record(connection, actor, "created", "organisation", id_=id_, after=body.model_dump())
                return await _read(connection, id_)

    async def close(self, slug: str, asking: Principal, actor: Actor) -> None:
        """Close the organisation: its members, keys and links lose access, its runs end, and no run begins. Its data
        stays until the operator erases it.

        Raises a `Problem`: 422 if `slug` is not the organisation's short name, 409 for the operator's organisation.
        """
        mine = organisation.c.id == asking.org_id
        async with self._opened.engine.begin() as connection:
            before = (await connection.execute(select(organisation).where(mine).with_for_update())).one()
            if asking.org_id == DEFAULT_ORG_ID:
                raise Problem(409, "The operator's organisation", "The first organisation of a platform stays open.")
            if slug != before.slug:
                detail = f"Send the short name of the organisation, {before.slug}."
                raise Problem(422, "Not confirmed", detail, errors=[FieldError("slug", detail)])
            changes = {"closed_at": func.now(), "version": organisation.c.version + 1, "updated_at": func.now()}
            await connection.execute(update(organisation).where(mine).values(changes))
            await record(connection, actor, "closed", "organisation", id_=asking.org_id, before={"slug": slug})
            ended = await leave_organisation(connection, asking.org_id)
            ended += (await connection.execute(select(api_key.c.id))).scalars()
        await self._opened.revoke(ended)


async def _read(connection: AsyncConnection, id_: UUID) -> OrganisationOut:
    limits = (plan.c.concurrency, plan.c.runs_a_day, plan.c.storage_bytes, plan.c.members)
    query = select(organisation, *limits).join(plan, plan.c.name == organisation.c.plan)
    row = (await connection.execute(query.where(organisation.c.id == id_))).one()._mapping
    more = {"limits": row, REQUIRED: bool(row["settings"].get(REQUIRED)), "closable": id_ != DEFAULT_ORG_ID}
    return OrganisationOut.model_validate({**row, **more})


def _merged(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with the changes applied. The value `None` removes a setting."""
    return {name: value for name, value in {**before, **changes}.items() if value is not None}


@contextmanager
def _unique_names() -> Iterator[None]:
    with unique("organisation_name_key", field="name"), unique("organisation_slug_key", field="slug"):
        yield
