"""Read and write people and their roles: one function per query, in the caller's transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.access import Role
from llmbench.db.limits import read_limits
from llmbench.db.tables import membership, organisation, person
from llmbench.errors import Problem
from llmbench.ids import new_id
from llmbench.limits import closed_problem, plan_problem
from llmbench.organisation import bound_organisation


@dataclass(frozen=True)
class Person:
    id: UUID
    email: str
    name: str
    password_hash: str | None
    disabled: bool
    is_service: bool = False


@dataclass(frozen=True)
class Belonging:
    """An organisation that a person is a member of."""

    id: UUID
    name: str
    slug: str
    role: Role


async def find_by_email(connection: AsyncConnection, email: str) -> Person | None:
    return await _find(connection, person.c.email == email)


async def find_by_id(connection: AsyncConnection, id_: UUID) -> Person | None:
    return await _find(connection, person.c.id == id_)


async def _find(connection: AsyncConnection, condition: ColumnElement[bool]) -> Person | None:
    row = (await connection.execute(select(person).where(condition))).one_or_none()
    if row is None:
        return None
    return Person(
        row.id, row.email, row.name, row.password_hash, row.disabled_at is not None, row.service_of is not None
    )


async def insert_person(connection: AsyncConnection, *, email: str, name: str, password_hash: str | None) -> Person:
    made = Person(new_id(), email, name, password_hash, disabled=False)
    values = {"id": made.id, "email": email, "name": name, "password_hash": password_hash}
    await connection.execute(insert(person).values(values))
    return made


async def set_password(connection: AsyncConnection, id_: UUID, password_hash: str) -> None:
    changed = update(person).where(person.c.id == id_).values(password_hash=password_hash, updated_at=func.now())
    await connection.execute(changed)


async def insert_member(connection: AsyncConnection, org_id: UUID, person_id: UUID, role: Role) -> None:
    """Add a member. Raises a 403 `Problem` if the plan allows no further member, or the organisation is closed."""
    await require_room_for_member(connection)
    values = {"org_id": org_id, "person_id": person_id, "role": role.value}
    await connection.execute(insert(membership).values(values))


async def lock_organisation(connection: AsyncConnection) -> None:
    """Lock the organisation's row until the transaction ends, so that no member can be added meanwhile."""
    mine = select(organisation.c.id).where(organisation.c.id == bound_organisation())
    await connection.execute(mine.with_for_update())


async def require_room_for_member(connection: AsyncConnection, *, invited: int = 0) -> None:
    """Raise a 403 `Problem` if the number of members has reached the limit of the plan, or if the organisation is
    closed. `invited` is the number of open invitations, each of which counts as a member.

    The organisation is locked until the transaction ends, so that two people cannot take the same free place.
    """
    limits = await read_limits(connection, lock=True)
    if limits.closed:
        raise closed_problem()
    if limits.members is None:
        return
    count = select(func.count()).select_from(membership).where(membership.c.org_id == bound_organisation())
    members = (await connection.execute(count)).scalar_one()
    if members + invited >= limits.members:
        open_ = f" and {invited} open invitations" if invited else ""
        remedy = "Remove a member or withdraw an invitation." if invited else "Remove a member first."
        detail = f"The plan {limits.plan} allows {limits.members} members; there are {members}{open_}. {remedy}"
        raise plan_problem(limits, detail)


async def find_role(connection: AsyncConnection, person_id: UUID, *, lock: bool = False) -> Role | None:
    """Return the person's role in the bound organisation; `None` if the person is not a member, or the organisation is
    closed. With `lock`, the role cannot change until the transaction ends."""
    is_open = select(organisation.c.id).where(
        organisation.c.id == bound_organisation(), organisation.c.closed_at.is_(None)
    )
    query = select(membership.c.role).where(_member(person_id), is_open.exists())
    found = (await connection.execute(query.with_for_update() if lock else query)).scalar_one_or_none()
    return None if found is None else Role(found)


def _member(person_id: UUID) -> ColumnElement[bool]:
    return (membership.c.org_id == bound_organisation()) & (membership.c.person_id == person_id)


async def set_role(connection: AsyncConnection, person_id: UUID, role: Role) -> None:
    await connection.execute(update(membership).where(_member(person_id)).values(role=role.value))


async def delete_member(connection: AsyncConnection, person_id: UUID) -> None:
    await connection.execute(delete(membership).where(_member(person_id)))


async def require_another_owner(connection: AsyncConnection, person_id: UUID) -> None:
    """Raise a 409 `Problem` if the person is the only owner. Lock the owners until the transaction ends."""
    if await lock_owners(connection) == [person_id]:
        raise Problem(409, "Last owner", "The organisation would have no owner. Make somebody else an owner first.")


async def lock_owners(connection: AsyncConnection) -> list[UUID]:
    """Lock the owners until the transaction ends, so that two of them cannot leave at once, and return their ids. To
    avoid deadlocks, a transaction calls this before it locks a single member."""
    owners = (
        select(membership.c.person_id)
        .where(membership.c.org_id == bound_organisation(), membership.c.role == Role.OWNER.value)
        .order_by(membership.c.person_id)
    )
    return list((await connection.execute(owners.with_for_update())).scalars())


async def belongings(everybody: AsyncConnection, person_id: UUID) -> Sequence[Belonging]:
    """Return the open organisations of a person, by name. The connection has to see the rows of all organisations."""
    query = (
        select(organisation.c.id, organisation.c.name, organisation.c.slug, membership.c.role)
        .join(membership, membership.c.org_id == organisation.c.id)
        .where(membership.c.person_id == person_id, organisation.c.closed_at.is_(None))
        .order_by(organisation.c.name)
    )
    return [Belonging(row.id, row.name, row.slug, Role(row.role)) for row in await everybody.execute(query)]
