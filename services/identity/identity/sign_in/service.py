"""Sign people in and out, and describe their sessions."""

import logging
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import exists, select

from identity.people import (
    Belonging,
    Person,
    belongings,
    find_by_email,
    find_by_id,
    find_role,
    set_password,
)
from identity.second_factor import SecondFactors, is_enabled, is_required
from identity.sessions import (
    Origin,
    Session,
    end_session,
    end_sessions,
    find_session,
    last_organisations,
    open_session,
    switch_organisation,
)
from identity.sign_in.schemas import (
    MembershipOut,
    OrganisationOut,
    PersonOut,
    SecondFactorState,
    SessionOut,
    SignIn,
)
from identity.state import Connections
from identity.tokens import csrf_token_of
from identity.trail import Actor, record
from llmbench.access import Principal, Role, all_allowed
from llmbench.db.tables import membership
from llmbench.errors import FieldError, Problem
from llmbench.http.authentication import not_signed_in
from llmbench.organisation import working_for

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Started:
    """A new session: its token for the cookie, and its description for the person."""

    token: str
    session: SessionOut


class SignInService:
    def __init__(self, opened: Connections, address: str, device: str = "") -> None:
        self._opened = opened
        self._address = address
        self._device = device

    async def sign_in(self, body: SignIn, *, presented: str | None) -> Started:
        """Open a session, and end the one that the browser presented, so that an attacker cannot plant a session in the
        browser beforehand.

        Raises a 401 `Problem` that is the same for an unknown account and for a wrong password. If the password is
        right but the code of the second factor is missing, the 401 asks for the code. Raises a 429 after too many
        attempts.
        """
        self._opened.attempts.take(self._address, body.email)
        async with self._opened.everybody.connect() as connection:
            found = await find_by_email(connection, body.email)
        stored = None if found is None or found.disabled else found.password_hash
        if not await self._opened.passwords.matches(body.password.get_secret_value(), stored) or found is None:
            _log.warning("an attempt to sign in from %s was refused", self._address)
            raise Problem(401, "Not signed in", "The e-mail address or the password is wrong.")
        strong = await SecondFactors(self._opened).check(found.id, body.code)
        self._opened.attempts.succeeded(self._address, body.email)
        return await self.start(found, presented=presented, strong=strong)

    async def start(
        self, person: Person, *, presented: str | None, org_id: UUID | None = None, strong: bool = False
    ) -> Started:
        """Open a session of a person, and end the session that the browser `presented`, if any.

        The session works in the organisation `org_id` if the person is a member there. Otherwise it works where the
        person last worked, or in any other organisation of the person. `strong` is true if a second factor was checked,
        or if another system has signed the person in.
        """
        async with self._opened.everybody.connect() as connection:
            member_of = await belongings(connection, person.id)
            latest = await last_organisations(connection, person.id)
        ids = [each.id for each in member_of]
        chosen = next((id_ for id_ in (org_id, *latest, *ids) if id_ in ids), None)
        with working_for(chosen):
            async with self._opened.engine.begin() as connection:
                ended = await end_session(connection, presented) if presented else []
                origin = Origin(self._address, self._device, strong)
                token = await open_session(connection, person.id, chosen, self._opened.lifetimes, origin=origin)
                if chosen is not None:
                    actor = Actor(person.id, person.name, self._address)
                    await record(connection, actor, "signed-in", "session")
        await self._opened.revoke(ended)
        return Started(token, await self.describe(token))

    async def describe(self, token: str | None) -> SessionOut:
        """Return the description of a session and its person. A missing or ended session is no error."""
        session = await self._session(token)
        if session is None or token is None:
            return SessionOut(auth="on", signed_in=False, first_owner_needed=not await self._has_owner())
        factor = await self._second_factor(session)
        async with self._opened.everybody.connect() as connection:
            member_of = await belongings(connection, session.person_id)
        current = next((each for each in member_of if each.id == session.org_id), None)
        return SessionOut(
            auth="on",
            signed_in=True,
            first_owner_needed=False,
            person=PersonOut(id=session.person_id, name=session.person_name, email=session.email),
            organisation=current and OrganisationOut(id=current.id, name=current.name, slug=current.slug),
            role=current and current.role,
            organisations=[_out(each) for each in member_of],
            csrf_token=csrf_token_of(token),
            second_factor=factor,
            allowed=[] if factor.lacking else _allowed(session, current),
        )

    async def _second_factor(self, session: Session) -> SecondFactorState:
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                required = session.org_id is not None and await is_required(connection)
                enabled = await is_enabled(connection, session.person_id)
        return SecondFactorState(enabled=enabled, required=required, lacking=required and not session.strong)

    async def sign_out(self, token: str) -> None:
        session = await self._session(token)
        with working_for(None if session is None else session.org_id):
            async with self._opened.engine.begin() as connection:
                ended = await end_session(connection, token)
                if session is not None and session.org_id is not None:
                    actor = Actor(session.person_id, session.person_name, self._address)
                    await record(connection, actor, "signed-out", "session")
        await self._opened.revoke(ended)

    async def switch(self, token: str, org_id: UUID) -> SessionOut:
        """Let the session work in another organisation. Raises a 404 `Problem` unless the person is a member."""
        session = await self.require_session(token)
        with working_for(org_id):
            async with self._opened.engine.begin() as connection:
                if await find_role(connection, session.person_id) is None:
                    raise Problem(404, "Not found", f"You are not a member of an organisation {org_id}.")
                await switch_organisation(connection, session.id, org_id)
        # Revoke the session: otherwise its open sockets would keep showing the runs of the other organisation.
        await self._opened.revoke([session.id])
        return await self.describe(token)

    async def change_password(self, token: str, *, current: str, new: str) -> Started:
        """Set a new password, end all sessions of the person, and open another one. Raises a `Problem`: 401 if the
        session has ended, 422 if `current` is not the password, and 429 after too many attempts."""
        session = await self.require_session(token)
        self._opened.attempts.take(self._address, session.email)
        async with self._opened.engine.connect() as connection:
            person = await find_by_id(connection, session.person_id)
        if person is None or not await self._opened.passwords.matches(current, person.password_hash):
            fault = FieldError("current", "is wrong")
            raise Problem(422, "Wrong password", "The current password is wrong.", errors=[fault])
        hashed = await self._opened.passwords.hash(new)
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                await set_password(connection, person.id, hashed)
                ended = await end_sessions(connection, person.id)
                if session.org_id is not None:
                    actor = Actor(person.id, person.name, self._address)
                    await record(connection, actor, "changed", "password")
        await self._opened.revoke(ended)
        return await self.start(person, presented=None, org_id=session.org_id, strong=session.strong)

    async def require_session(self, token: str | None) -> Session:
        """Return the session of a token. Raises a 401 `Problem` if there is none, or it has ended."""
        session = await self._session(token)
        if session is None:
            raise not_signed_in("The session has ended. Sign in again.")
        return session

    async def _session(self, token: str | None) -> Session | None:
        if token is None:
            return None
        async with self._opened.everybody.connect() as connection:
            return await find_session(connection, token, self._opened.lifetimes)

    async def _has_owner(self) -> bool:
        async with self._opened.everybody.connect() as connection:
            query = select(exists().where(membership.c.role == Role.OWNER.value))
            return bool((await connection.execute(query)).scalar_one())


def _allowed(session: Session, current: Belonging | None) -> list[str]:
    if current is None:
        return []
    return all_allowed(Principal(session.person_id, current.id, current.role, session.id))


def _out(each: Belonging) -> MembershipOut:
    return MembershipOut(id=each.id, name=each.name, slug=each.slug, role=each.role)
