"""Read and write logins, that is, people's identities at issuers: one function per query, in the caller's
transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Row, delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.tokens import token_hash
from llmbench.db.tables import person_login, session_login, web_session
from llmbench.ids import new_id


@dataclass(frozen=True)
class Login:
    """A person's identity at an issuer. `manages_role` is true if the issuer's groups decide the role, because the
    account was created with this login. `withdrawn` is true while the groups permit no membership."""

    id: UUID
    issuer: str
    person_id: UUID
    manages_role: bool
    withdrawn: bool
    created_at: datetime
    last_used_at: datetime


async def lock_subject(connection: AsyncConnection, issuer: str, subject: str) -> None:
    """Lock an identity until the transaction ends, so that two simultaneous first sign-ins create only one account."""
    statement = text("SELECT pg_advisory_xact_lock(hashtextextended(:identity, 0))")
    await connection.execute(statement, {"identity": f"{issuer}\n{subject}"})


async def find_login(connection: AsyncConnection, issuer: str, subject: str) -> Login | None:
    query = select(person_login).where(person_login.c.issuer == issuer, person_login.c.subject == subject)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else _login(row)


async def logins_of(connection: AsyncConnection, person_id: UUID) -> Sequence[Login]:
    query = select(person_login).where(person_login.c.person_id == person_id).order_by(person_login.c.id)
    return [_login(row) for row in await connection.execute(query)]


async def insert_login(
    connection: AsyncConnection, issuer: str, subject: str, person_id: UUID, *, manages_role: bool
) -> UUID:
    id_ = new_id()
    values = {"id": id_, "issuer": issuer, "subject": subject, "person_id": person_id, "manages_role": manages_role}
    await connection.execute(insert(person_login).values(values))
    return id_


async def note_use(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(update(person_login).where(person_login.c.id == id_).values(last_used_at=func.now()))


async def set_withdrawn(connection: AsyncConnection, id_: UUID, *, withdrawn: bool) -> None:
    changed = update(person_login).where(person_login.c.id == id_)
    await connection.execute(changed.values(withdrawn_at=func.now() if withdrawn else None))


async def delete_login(connection: AsyncConnection, id_: UUID, *, except_token: str) -> list[UUID]:
    """Delete a login, that is, the link between a person and an identity at an issuer. End the sessions that began with
    it, except the session of `except_token`. Return the ids of the ended sessions."""
    began = select(session_login.c.session_id).where(session_login.c.login_id == id_)
    ended = (
        update(web_session)
        .where(
            web_session.c.id.in_(began),
            web_session.c.revoked_at.is_(None),
            web_session.c.token_hash != token_hash(except_token),
        )
        .values(revoked_at=func.now())
        .returning(web_session.c.id)
    )
    ids = list((await connection.execute(ended)).scalars())
    await connection.execute(delete(person_login).where(person_login.c.id == id_))
    return ids


async def note_session(connection: AsyncConnection, token: str, login_id: UUID, issuer_session: str | None) -> None:
    """Store the login with which the session of a token began, and the session's id at the issuer, if there is one."""
    began = select(
        web_session.c.id,
        text("CAST(:login_id AS uuid)").bindparams(login_id=login_id),
        text("CAST(:issuer_session AS text)").bindparams(issuer_session=issuer_session),
    ).where(web_session.c.token_hash == token_hash(token))
    columns = ["session_id", "login_id", "issuer_session"]
    await connection.execute(insert(session_login).from_select(columns, began))


async def issuer_of_session(connection: AsyncConnection, token: str) -> str | None:
    """Return the issuer at which the session of a token began; `None` for a session that began with a password."""
    query = (
        select(person_login.c.issuer)
        .join(session_login, session_login.c.login_id == person_login.c.id)
        .join(web_session, web_session.c.id == session_login.c.session_id)
        .where(web_session.c.token_hash == token_hash(token))
    )
    return (await connection.execute(query)).scalar_one_or_none()


def _login(row: "Row[tuple[object, ...]]") -> Login:
    return Login(
        id=row.id,
        issuer=row.issuer,
        person_id=row.person_id,
        manages_role=row.manages_role,
        withdrawn=row.withdrawn_at is not None,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
    )
