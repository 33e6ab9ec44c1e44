"""List and end a person's own sessions, and set up a second factor."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from uuid import UUID

import segno
from sqlalchemy.ext.asyncio import AsyncConnection

from identity import second_factor
from identity.account.schemas import (
    OwnSessionOut,
    OwnSessions,
    RecoveryCodes,
    RenewRecoveryCodes,
    SecondFactorBegun,
    SecondFactorOut,
)
from identity.people import find_by_id
from identity.problems import missing
from identity.second_factor import SecondFactors
from identity.sessions import Session, end_one, end_sessions, open_sessions, strengthen
from identity.state import Connections
from identity.trail import Actor, record
from llmbench.errors import FieldError, Problem
from llmbench.organisation import working_for

End = Callable[[AsyncConnection], Coroutine[Any, Any, list[UUID]]]


class AccountService:
    def __init__(self, opened: Connections, address: str) -> None:
        self._opened = opened
        self._address = address

    async def sessions(self, session: Session) -> OwnSessions:
        async with self._opened.engine.connect() as connection:
            found = await open_sessions(connection, session.person_id)
        return OwnSessions(
            items=[OwnSessionOut(**vars(each), current=each.id == session.id) for each in found],
        )

    async def end(self, session: Session, id_: UUID) -> None:
        """End one of the person's sessions. Raises a 404 `Problem` if the person has no such session."""
        if not await self._end(session, lambda connection: end_one(connection, session.person_id, id_)):
            raise missing("session of yours", id_)

    async def end_others(self, session: Session) -> None:
        await self._end(session, lambda connection: end_sessions(connection, session.person_id, but=session.id))

    async def _end(self, session: Session, end: End) -> Sequence[UUID]:
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                ended = await end(connection)
                if ended:
                    await self._record(connection, session, "ended", "session", {"sessions": len(ended)})
        await self._opened.revoke(ended)
        return ended

    async def second_factor(self, session: Session) -> SecondFactorOut:
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                return SecondFactorOut(
                    enabled=await second_factor.is_enabled(connection, session.person_id),
                    required=session.org_id is not None and await second_factor.is_required(connection),
                    recovery_codes=await second_factor.count_recovery_codes(connection, session.person_id),
                )

    async def begin(self, session: Session, password: str) -> SecondFactorBegun:
        await self._require_password(session, password)
        begun = await SecondFactors(self._opened).begin(session.person_id, session.email)
        picture = segno.make(begun.uri, error="m").svg_data_uri(scale=4, border=4, dark="#000", light="#fff")
        return SecondFactorBegun(secret=begun.secret, uri=begun.uri, picture=picture)

    async def confirm(self, session: Session, code: str) -> RecoveryCodes:
        """Activate the second factor, and return new recovery codes. The person's other sessions end, because they were
        opened without it. Raises a `Problem`: 422 for a wrong code, and 429 after too many attempts."""
        await SecondFactors(self._opened).confirm(session.person_id, code)
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                codes = await second_factor.renew_recovery_codes(connection, session.person_id)
                await strengthen(connection, session.id)
                ended = await end_sessions(connection, session.person_id, but=session.id)
                await self._record(connection, session, "set-up", "second-factor")
        await self._opened.revoke(ended)
        return RecoveryCodes(codes=codes)

    async def renew_codes(self, session: Session, body: RenewRecoveryCodes) -> RecoveryCodes:
        """Replace the recovery codes. Raises a `Problem`: 409 without a second factor, 422 for a wrong password, 401
        for a wrong code, and 429 after too many attempts."""
        if body.code is not None:
            await SecondFactors(self._opened).check_code_of_app(session.person_id, body.code)
        else:
            assert body.password is not None
            await self._require_password(session, body.password.get_secret_value())
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                if not await second_factor.is_enabled(connection, session.person_id, lock=True):
                    raise Problem(409, "No second factor", "Set up a second factor first: it brings recovery codes.")
                codes = await second_factor.renew_recovery_codes(connection, session.person_id)
                await self._record(connection, session, "renewed", "recovery-codes")
        return RecoveryCodes(codes=codes)

    async def remove(self, session: Session, password: str, code: str) -> None:
        await self._require_password(session, password)
        await SecondFactors(self._opened).check(session.person_id, code)
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                await second_factor.remove(connection, session.person_id)
                await self._record(connection, session, "removed", "second-factor")

    async def _require_password(self, session: Session, password: str) -> None:
        self._opened.attempts.take(self._address, session.email)
        async with self._opened.engine.connect() as connection:
            person = await find_by_id(connection, session.person_id)
        if person is None or not await self._opened.passwords.matches(password, person.password_hash):
            raise Problem(422, "Wrong password", "The password is wrong.", errors=[FieldError("password", "is wrong")])

    async def _record(
        self,
        connection: AsyncConnection,
        session: Session,
        action: str,
        resource: str,
        after: dict[str, Any] | None = None,
    ) -> None:
        if session.org_id is not None:
            actor = Actor(session.person_id, session.person_name, self._address)
            await record(connection, actor, action, resource, id_=session.person_id, after=after)
