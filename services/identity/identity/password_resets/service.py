"""Let a member choose a new password by a link that works once, for a day.

A person may belong to several organisations. Admins of one organisation must not gain access to the others. So
they can create links only for people who belong to no other organisation.
"""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from identity import second_factor
from identity.password_resets.schemas import PasswordResetIn, PasswordResetOut
from identity.people import belongings, find_by_id, find_role, set_password
from identity.problems import gone, missing
from identity.sessions import end_sessions
from identity.state import Connections
from identity.tokens import new_token, token_hash
from identity.trail import Actor, record
from llmbench.access import Principal, Role, may_grant
from llmbench.db.tables import password_reset
from llmbench.errors import Problem
from llmbench.ids import new_id
from llmbench.organisation import working_for

PAGE: Final = "/reset-password"
LINK_LASTS: Final = timedelta(hours=24)


class PasswordResetService:
    def __init__(self, opened: Connections, address: str) -> None:
        self._opened = opened
        self._address = address

    async def create(self, body: PasswordResetIn, asking: Principal, actor: Actor) -> PasswordResetOut:
        """Create a link, which replaces an earlier link of the person.

        Raises a `Problem`: 404 unless the person is a member, and 403 if the person is an owner and the requesting
        person is not. The status is 409 if the person belongs to other organisations too, or is the requesting person.
        """
        if body.person_id == asking.person_id:
            raise Problem(409, "Your own password", "Change your own password in your account.")
        token = new_token()
        values = {
            "id": new_id(),
            "person_id": body.person_id,
            "token_hash": token_hash(token),
            "second_factor": body.second_factor,
            "created_by": asking.person_id,
            "expires_at": func.now() + LINK_LASTS,
        }
        async with self._opened.engine.begin() as connection:
            role = await find_role(connection, body.person_id)
            person = await find_by_id(connection, body.person_id)
            if role is None or person is None or person.is_service:
                raise missing("member", body.person_id)
            if not may_grant(asking.role, role):
                raise Problem(403, "Not allowed", "Only an owner may reset the password of an owner.")
            if not await self._belongs_only_to(body.person_id, asking.org_id):
                raise Problem(
                    409,
                    "Member elsewhere, too",
                    "This person belongs to other organisations, too. No single one may reset the password.",
                )
            await connection.execute(delete(password_reset).where(password_reset.c.person_id == body.person_id))
            made = insert(password_reset).values(values).returning(*password_reset.c)
            row = (await connection.execute(made)).one()
            after = {"second_factor": body.second_factor}
            await record(connection, actor, "created", "password-reset", id_=body.person_id, after=after)
        return PasswordResetOut(
            person_id=row.person_id,
            second_factor=row.second_factor,
            expires_at=row.expires_at,
            token=token,
            path=f"{PAGE}#{token}",
        )

    async def use(self, token: str, password: str) -> None:
        """Set the password of the link's person, and end the person's sessions. Also remove the second factor, if the
        link was created for that. Raises a 410 `Problem` for a link that is not valid."""
        self._opened.attempts.take(self._address, "password reset")
        link = await self._find(token)
        hashed = await self._opened.passwords.hash(password)
        with working_for(link.org_id):
            async with self._opened.engine.begin() as connection:
                await self._use(connection, link)
                await set_password(connection, link.person_id, hashed)
                if link.second_factor:
                    await second_factor.remove(connection, link.person_id)
                ended = await end_sessions(connection, link.person_id)
                person = await find_by_id(connection, link.person_id)
                actor = Actor(link.person_id, person.name if person else "", self._address)
                await record(connection, actor, "reset", "password", id_=link.person_id)
        await self._opened.revoke(ended)

    async def _find(self, token: str) -> Row[Any]:
        query = select(password_reset).where(
            password_reset.c.token_hash == token_hash(token),
            password_reset.c.used_at.is_(None),
            password_reset.c.expires_at > func.now(),
        )
        async with self._opened.everybody.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise gone()
        # A link without a creator is the operator's, who may reset the password of everyone.
        if row.created_by is not None and not await self._belongs_only_to(row.person_id, row.org_id):
            raise gone()
        return row

    async def _use(self, connection: AsyncConnection, link: Row[Any]) -> None:
        """Mark the link as used. Raises a 410 `Problem` if another request has used it first, or if its creator has
        lost the right to create it."""
        used = update(password_reset).where(password_reset.c.id == link.id, password_reset.c.used_at.is_(None))
        role = await find_role(connection, link.person_id)
        if link.created_by is None:
            allowed = role is Role.OWNER
        else:
            maker = await find_role(connection, link.created_by)
            allowed = maker is not None and role is not None and may_grant(maker, role)
        if not allowed:
            raise gone()
        if (await connection.execute(used.values(used_at=func.now()))).rowcount != 1:
            raise gone()

    async def _belongs_only_to(self, person_id: UUID, org_id: UUID) -> bool:
        async with self._opened.everybody.connect() as connection:
            return [each.id for each in await belongings(connection, person_id)] == [org_id]
