"""Open, find and end the sessions of browsers."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.tokens import new_token, token_hash
from llmbench.db.tables import person, web_session
from llmbench.ids import new_id

IDLE_NOTED_EVERY = timedelta(minutes=1)
"""A session's last use is written at most once in this time."""
MOST_OF_DEVICE = 300


@dataclass(frozen=True)
class Lifetimes:
    """The time limits of a session. It ends `total` after its start, or once it was not used for `idle`."""

    total: timedelta
    idle: timedelta


@dataclass(frozen=True)
class Session:
    id: UUID
    person_id: UUID
    person_name: str
    email: str
    org_id: UUID | None
    used_long_ago: bool
    strong: bool


@dataclass(frozen=True)
class Origin:
    """The origin of a new session: the client's address and device. `strong` is true if a second factor was checked, or
    another system has signed the person in."""

    address: str
    device: str = ""
    strong: bool = False


@dataclass(frozen=True)
class OpenSession:
    """A session that has not ended, with the fields that its person sees in the list of sessions."""

    id: UUID
    created_at: datetime
    used_at: datetime
    address: str | None
    device: str | None


async def open_session(
    connection: AsyncConnection, person_id: UUID, org_id: UUID | None, lifetimes: Lifetimes, *, origin: Origin
) -> str:
    """Store a new session, and return its token. Only a hash of the token is stored."""
    token = new_token()
    values = {
        "id": new_id(),
        "token_hash": token_hash(token),
        "person_id": person_id,
        "current_org_id": org_id,
        "expires_at": func.now() + lifetimes.total,
        "idle_expires_at": func.now() + lifetimes.idle,
        "address": origin.address,
        "device": origin.device[:MOST_OF_DEVICE],
        "strong": origin.strong,
    }
    await connection.execute(insert(web_session).values(values))
    return token


async def find_session(connection: AsyncConnection, token: str, lifetimes: Lifetimes) -> Session | None:
    """Return the session of a token, unless it has ended or its person is disabled."""
    noted = web_session.c.idle_expires_at < func.now() + lifetimes.idle - IDLE_NOTED_EVERY
    query = (
        select(web_session, person.c.name, person.c.email, noted.label("used_long_ago"))
        .join(person, person.c.id == web_session.c.person_id)
        .where(web_session.c.token_hash == token_hash(token), _lives(), person.c.disabled_at.is_(None))
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    return Session(row.id, row.person_id, row.name, row.email, row.current_org_id, row.used_long_ago, row.strong)


def _lives() -> ColumnElement[bool]:
    return (
        web_session.c.revoked_at.is_(None)
        & (web_session.c.expires_at > func.now())
        & (web_session.c.idle_expires_at > func.now())
    )


async def note_use(connection: AsyncConnection, id_: UUID, lifetimes: Lifetimes) -> None:
    used = update(web_session).where(web_session.c.id == id_)
    await connection.execute(used.values(idle_expires_at=func.now() + lifetimes.idle, used_at=func.now()))


async def switch_organisation(connection: AsyncConnection, id_: UUID, org_id: UUID) -> None:
    await connection.execute(update(web_session).where(web_session.c.id == id_).values(current_org_id=org_id))


async def last_organisations(connection: AsyncConnection, person_id: UUID) -> Sequence[UUID]:
    """Return the organisations of the person's last ten sessions, the latest session first. An organisation may occur
    several times."""
    query = (
        select(web_session.c.current_org_id)
        .where(web_session.c.person_id == person_id, web_session.c.current_org_id.is_not(None))
        .order_by(web_session.c.id.desc())
        .limit(10)
    )
    return (await connection.execute(query)).scalars().all()


async def open_sessions(connection: AsyncConnection, person_id: UUID) -> list[OpenSession]:
    """Return the sessions of a person that have not ended, the latest first."""
    columns = (each.name for each in fields(OpenSession))
    query = select(*(web_session.c[name] for name in columns)).where(web_session.c.person_id == person_id, _lives())
    rows = await connection.execute(query.order_by(web_session.c.id.desc()))
    return [OpenSession(**row._mapping) for row in rows]


async def end_one(connection: AsyncConnection, person_id: UUID, id_: UUID) -> list[UUID]:
    """End one session of a person. Return its id in a list, which is empty if the person has no such session."""
    return await _end(connection, (web_session.c.person_id == person_id) & (web_session.c.id == id_))


async def strengthen(connection: AsyncConnection, id_: UUID) -> None:
    """Record that the person has shown a second factor in this session."""
    await connection.execute(update(web_session).where(web_session.c.id == id_).values(strong=True))


async def weak_sessions(connection: AsyncConnection, org_id: UUID) -> list[UUID]:
    """Return the ids of the sessions that work in an organisation and have shown no second factor."""
    query = select(web_session.c.id).where(
        web_session.c.current_org_id == org_id, web_session.c.strong.is_(False), _lives()
    )
    return list((await connection.execute(query)).scalars())


async def leave_organisation(connection: AsyncConnection, org_id: UUID) -> list[UUID]:
    """Let no session work in the organisation any more. The sessions go on, and each person may switch to another
    organisation. Return the ids of these sessions, because their rights have to be checked again."""
    moved = update(web_session).where(web_session.c.current_org_id == org_id).values(current_org_id=None)
    return list((await connection.execute(moved.returning(web_session.c.id))).scalars())


async def live_sessions(connection: AsyncConnection, person_id: UUID) -> list[UUID]:
    query = select(web_session.c.id).where(web_session.c.person_id == person_id, _lives())
    return list((await connection.execute(query)).scalars())


async def end_session(connection: AsyncConnection, token: str) -> list[UUID]:
    """End the session of a token. Return its id in a list, which is empty if there is no such session."""
    return await _end(connection, web_session.c.token_hash == token_hash(token))


async def end_sessions(
    connection: AsyncConnection, person_id: UUID, *, org_id: UUID | None = None, but: UUID | None = None
) -> list[UUID]:
    """End the sessions of a person. `org_id` restricts this to the sessions that work in the organisation; the session
    `but` is kept. Return the ids of the ended sessions."""
    where = web_session.c.person_id == person_id
    if but is not None:
        where &= web_session.c.id != but
    return await _end(connection, where if org_id is None else where & (web_session.c.current_org_id == org_id))


async def _end(connection: AsyncConnection, which: ColumnElement[bool]) -> list[UUID]:
    ended = update(web_session).where(which, web_session.c.revoked_at.is_(None)).values(revoked_at=func.now())
    return list((await connection.execute(ended.returning(web_session.c.id))).scalars())
