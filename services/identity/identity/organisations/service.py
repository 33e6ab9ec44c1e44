"""Read, change and create organisations."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, insert, select, update

from identity.organisations.schemas import OrganisationChange, OrganisationIn, OrganisationOut
from identity.people import insert_member
from identity.problems import unique
from identity.state import Connections
from identity.trail import Actor, record
from llmbench.access import Principal, Role
from llmbench.db.tables import organisation
from llmbench.ids import new_id
from llmbench.organisation import working_for


class OrganisationService:
    def __init__(self, opened: Connections) -> None:
        self._opened = opened

    async def current(self, asking: Principal) -> OrganisationOut:
        async with self._opened.engine.connect() as connection:
            row = (await connection.execute(select(organisation).where(organisation.c.id == asking.org_id))).one()
        return OrganisationOut.model_validate(dict(row._mapping))

    async def change(self, body: OrganisationChange, asking: Principal, actor: Actor) -> OrganisationOut:
        """Change the fields that the body has."""
        changes = body.model_dump(exclude_unset=True)
        if body.name is None:
            changes.pop("name", None)
        if body.slug is None:
            changes.pop("slug", None)
        mine = organisation.c.id == asking.org_id
        with _unique_names():
            async with self._opened.engine.begin() as connection:
                before = (await connection.execute(select(organisation).where(mine).with_for_update())).one()
                values = {**changes, "version": organisation.c.version + 1, "updated_at": func.now()}
                changed = update(organisation).where(mine).values(values).returning(*organisation.c)
                row = (await connection.execute(changed)).one()
                old = {name: before._mapping[name] for name in changes}
                await record(connection, actor, "updated", "organisation", id_=asking.org_id, before=old, after=changes)
        return OrganisationOut.model_validate(dict(row._mapping))

    async def create(self, body: OrganisationIn, asking: Principal, actor: Actor) -> OrganisationOut:
        """Create an organisation whose only member is its creator, as owner."""
        id_ = new_id()
        values = {"id": id_, "name": body.name, "slug": body.slug}
        with working_for(id_), _unique_names():
            async with self._opened.engine.begin() as connection:
                row = (await connection.execute(insert(organisation).values(values).returning(*organisation.c))).one()
                await insert_member(connection, id_, asking.person_id, Role.OWNER)
                await record(connection, actor, "created", "organisation", id_=id_, after=body.model_dump())
        return OrganisationOut.model_validate(dict(row._mapping))


@contextmanager
def _unique_names() -> Iterator[None]:
    with unique("organisation_name_key", field="name"), unique("organisation_slug_key", field="slug"):
        yield
