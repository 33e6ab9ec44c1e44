"""Join an organisation by a link: the link for the first owner, or the link of an invitation."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, exists, func, insert, select, update

from identity.people import Person, find_by_email, find_role, insert_member, insert_person
from identity.problems import unique
from identity.second_factor import SecondFactors
from identity.sign_in.links import Link, find_link, use_link
from identity.sign_in.schemas import AcceptInvitation, FirstOwner
from identity.state import Connections
from identity.tokens import new_token, token_hash
from identity.trail import Actor, record
from llmbench.access import Role
from llmbench.db.tables import invitation, membership, organisation
from llmbench.errors import Problem
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench.organisation import working_for

FIRST_OWNER_LINK_LASTS = timedelta(hours=24)


@dataclass(frozen=True)
class Joined:
    person: Person
    org_id: UUID
    strong: bool = False
    """True if the person already had an account, and has shown its second factor."""


class Joining:
    def __init__(self, opened: Connections, address: str) -> None:
        self._opened = opened
        self._address = address

    async def first_owner(self, body: FirstOwner) -> Joined:
        """Create the account of the first owner of the default organisation. Raises a 410 `Problem` for a link that is
        not valid."""
        self._opened.attempts.take(self._address, "first owner")
        link = await self._find(body.token.get_secret_value(), first=True)
        hashed = await self._opened.passwords.hash(body.password.get_secret_value())
        with working_for(link.org_id), unique("organisation_name_key", field="organisation"):
            async with self._opened.engine.begin() as connection:
                await use_link(connection, link)
                with unique("person_email_key", field="email"):
                    person = await insert_person(connection, email=body.email, name=body.name, password_hash=hashed)
                await insert_member(connection, link.org_id, person.id, Role.OWNER)
                named = update(organisation).where(organisation.c.id == link.org_id)
                await connection.execute(named.values(name=body.organisation, updated_at=func.now()))
                after = {"email": person.email, "role": Role.OWNER.value, "organisation": body.organisation}
                actor = Actor(person.id, person.name, self._address)
                await record(connection, actor, "joined", "member", id_=person.id, after=after)
        return Joined(person, link.org_id)

    async def accept(self, body: AcceptInvitation) -> Joined:
        """Add a person to the organisation of the invitation. A person who has an account keeps it.

        Raises a `Problem`: 410 for a link that is not valid, 401 for a wrong password of an existing account, 409 for a
        person who is a member already.
        """
        self._opened.attempts.take(self._address, body.email)
        link = await self._find(body.token.get_secret_value(), first=False)
        person, hashed = await self._account(body)
        strong = person is not None and await SecondFactors(self._opened).check(person.id, body.code)
        with working_for(link.org_id):
            async with self._opened.engine.begin() as connection:
                await use_link(connection, link)
                if person is None:
                    with unique("person_email_key", field="email"):
                        person = await insert_person(connection, email=body.email, name=body.name, password_hash=hashed)
                elif await find_role(connection, person.id) is not None:
                    raise Problem(409, "Already a member", "This account is already a member of the organisation.")
                await insert_member(connection, link.org_id, person.id, link.role)
                after = {"email": person.email, "role": link.role.value}
                actor = Actor(person.id, person.name, self._address)
                await record(connection, actor, "joined", "member", id_=person.id, after=after)
        return Joined(person, link.org_id, strong)

    async def _account(self, body: AcceptInvitation) -> tuple[Person | None, str]:
        """Return the account with the e-mail address of `body`, and an empty text. If there is none, return `None` and
        the hash of the password for a new account. Raises a 401 `Problem` for a wrong password of an existing account,
        or if that account is disabled."""
        password = body.password.get_secret_value()
        async with self._opened.everybody.connect() as connection:
            found = await find_by_email(connection, body.email)
        if found is None:
            return None, await self._opened.passwords.hash(password)
        stored = None if found.disabled else found.password_hash
        if not await self._opened.passwords.matches(password, stored):
            raise Problem(
                401, "Not signed in", "This address already has an account. Give the password of that account."
            )
        return found, ""

    async def _find(self, token: str, *, first: bool) -> Link:
        async with self._opened.everybody.connect() as connection:
            return await find_link(connection, token_hash(token), first=first)


async def first_owner_token(opened: Connections) -> str | None:
    """Create a link for the first owner, which replaces an earlier one, and return its token. Return `None` if there is
    an owner.

    The token is logged once, at the start. Only its hash is stored.
    """
    async with opened.everybody.connect() as connection:
        if (await connection.execute(select(exists().where(membership.c.role == Role.OWNER.value)))).scalar_one():
            return None
    token = new_token()
    values = {
        "id": new_id(),
        "token_hash": token_hash(token),
        "role": Role.OWNER.value,
        "expires_at": func.now() + FIRST_OWNER_LINK_LASTS,
    }
    with working_for(DEFAULT_ORG_ID):
        async with opened.engine.begin() as connection:
            await connection.execute(delete(invitation).where(invitation.c.created_by.is_(None)))
            await connection.execute(insert(invitation).values(values))
    return token
