"""Decide about a person that an issuer has signed in: the person is known, becomes a new member, or is refused. Roles
follow the issuer's groups.

A login is a person's identity at an issuer. It is never linked to an account by the e-mail address, because an issuer
could claim any address. A person who is signed in to an account can link a login to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.openid_connect.failures import Reason, Refused
from identity.openid_connect.issuers import Issuer
from identity.openid_connect.logins import (
    Login,
    find_login,
    insert_login,
    lock_subject,
    note_use,
    set_withdrawn,
)
from identity.people import (
    Person,
    delete_member,
    find_by_email,
    find_by_id,
    find_role,
    insert_member,
    insert_person,
    set_role,
)
from identity.problems import unique
from identity.sessions import end_sessions, live_sessions
from identity.sign_in.links import Link, use_link
from identity.trail import Actor, record
from llmbench.access import Role
from llmbench.db.tables import api_key
from llmbench.errors import Problem
from llmbench.limits import PLAN_LIMIT

if TYPE_CHECKING:
    # The libraries for tokens are loaded only where issuers are configured.
    from identity.openid_connect.id_token import Claims


@dataclass(frozen=True)
class Admitted:
    """A person who may sign in, and the id of the login. `ended` are the ids of credentials that have ended, or have
    other rights now."""

    person: Person
    login_id: UUID
    ended: Sequence[UUID] = ()


class Admission:
    """Decides whether a person that an issuer has signed in may enter, and stores the result: account, membership, role
    and login. It works in the caller's transaction."""

    def __init__(self, connection: AsyncConnection, issuer: Issuer, claims: "Claims", address: str) -> None:
        self._connection = connection
        self._issuer = issuer
        self._claims = claims
        self._address = address
        self._role = issuer.role_of(claims.groups, claims.email)

    async def admit(self) -> Admitted:
        """Return the person. A new person gets an account, and the role of a known person is adapted to the issuer's
        groups. The transaction has to be bound to the issuer's organisation.

        Raises `Refused` if the account is disabled, or if a new person may not become a member.
        """
        await lock_subject(self._connection, self._issuer.issuer, self._claims.subject)
        login = await find_login(self._connection, self._issuer.issuer, self._claims.subject)
        if login is None:
            return await self._join()
        person = await find_by_id(self._connection, login.person_id)
        if person is None or person.disabled:
            raise Refused(Reason.NOT_ALLOWED, "the account is disabled")
        await note_use(self._connection, login.id)
        return Admitted(person, login.id, await self._follow_groups(person, login))

    async def link(self, person: Person) -> UUID:
        """Link the identity at the issuer to the account of `person`, who is signed in to this account. Return the id
        of the stored login, which may exist already. Raises `Refused` if the identity is linked to another account."""
        await lock_subject(self._connection, self._issuer.issuer, self._claims.subject)
        login = await find_login(self._connection, self._issuer.issuer, self._claims.subject)
        if login is not None:
            if login.person_id != person.id:
                raise Refused(Reason.TAKEN)
            return login.id
        id_ = await insert_login(
            self._connection, self._issuer.issuer, self._claims.subject, person.id, manages_role=False
        )
        return id_

    async def accept(self, link: Link) -> Admitted:
        """Make the person a member of the organisation that sent the invitation `link`. The transaction has to be bound
        to this organisation.

        A new person gets an account with the role of the invitation; the issuer's groups never change this role. Raises
        `Refused` if the person is a member already, or cannot become one.
        """
        await lock_subject(self._connection, self._issuer.issuer, self._claims.subject)
        try:
            await use_link(self._connection, link)
        except Problem:
            raise Refused(Reason.INVITATION) from None
        login = await find_login(self._connection, self._issuer.issuer, self._claims.subject)
        if login is None:
            return await self._create(link.org_id, link.role, manages_role=False)
        person = await find_by_id(self._connection, login.person_id)
        if person is None or person.disabled:
            raise Refused(Reason.NOT_ALLOWED, "the account is disabled")
        if await find_role(self._connection, person.id) is not None:
            raise Refused(Reason.MEMBER)
        await note_use(self._connection, login.id)
        await self._add_member(link.org_id, person, link.role)
        return Admitted(person, login.id)

    async def _join(self) -> Admitted:
        if self._role is None and self._claims.email is not None:
            if await find_by_email(self._connection, self._claims.email) is not None:
                raise Refused(Reason.ACCOUNT_EXISTS)
            raise Refused(Reason.NOT_ALLOWED, "neither a group nor the domain of the address gives a role")
        return await self._create(self._issuer.organisation, self._role, manages_role=True)

    async def _create(self, org_id: UUID, role: Role | None, *, manages_role: bool) -> Admitted:
        """Create the account of a new person, who becomes a member with this role. With `manages_role`, the issuer's
        groups may change the role at later sign-ins. Raises `Refused` if the issuer has not verified the e-mail
        address, or if the address already has an account."""
        email = self._claims.email
        if email is None or role is None:
            raise Refused(Reason.EMAIL, "email_verified is not true, or the address is none")
        if await find_by_email(self._connection, email) is not None:
            raise Refused(Reason.ACCOUNT_EXISTS)
        try:
            with unique("person_email_key", field="email"):
                person = await insert_person(self._connection, email=email, name=self._claims.name, password_hash=None)
        except Problem:
            raise Refused(Reason.ACCOUNT_EXISTS) from None
        login_id = await insert_login(
            self._connection, self._issuer.issuer, self._claims.subject, person.id, manages_role=manages_role
        )
        await self._add_member(org_id, person, role)
        return Admitted(person, login_id)

    async def _add_member(self, org_id: UUID, person: Person, role: Role) -> None:
        try:
            await insert_member(self._connection, org_id, person.id, role)
        except Problem as problem:
            reason = Reason.FULL if problem.slug == PLAN_LIMIT else Reason.NOT_ALLOWED
            raise Refused(reason, problem.detail or "") from None
        after = {"email": person.email, "role": role.value, "issuer": self._issuer.name}
        await self._record(person, "joined", after=after)

    async def _follow_groups(self, person: Person, login: Login) -> Sequence[UUID]:
        """Change the person's role, or end the membership, as the issuer's groups require. Do nothing for an owner, or
        if the groups do not decide this person's role. Return the ids of the credentials that have ended, or have other
        rights now."""
        if not (self._issuer.roles and login.manages_role):
            return ()
        before = await find_role(self._connection, person.id, lock=True)
        if before is None:
            return await self._come_back(person, login)
        if before is Role.OWNER or before is self._role:
            return ()
        roles = {"before": {"role": before.value}}
        if self._role is None:
            gone = delete(api_key).where(api_key.c.person_id == person.id).returning(api_key.c.id)
            ended = list((await self._connection.execute(gone)).scalars())
            ended += await end_sessions(self._connection, person.id, org_id=self._issuer.organisation)
            await delete_member(self._connection, person.id)
            await set_withdrawn(self._connection, login.id, withdrawn=True)
            await self._record(person, "deleted", **roles)
            return ended
        await set_role(self._connection, person.id, self._role)
        await self._record(person, "updated", **roles, after={"role": self._role.value, "issuer": self._issuer.name})
        keys = await self._connection.execute(select(api_key.c.id).where(api_key.c.person_id == person.id))
        return [*keys.scalars(), *await live_sessions(self._connection, person.id)]

    async def _come_back(self, person: Person, login: Login) -> Sequence[UUID]:
        """Restore a membership that ended because of the groups, if the groups allow it again. A removal by an admin
        stays. The result is empty, because no credential of the person has ended or changed its rights (see
        `_follow_groups`)."""
        if self._role is not None and login.withdrawn:
            await self._add_member(self._issuer.organisation, person, self._role)
            await set_withdrawn(self._connection, login.id, withdrawn=False)
        return ()

    async def _record(self, person: Person, action: str, **values: dict[str, str]) -> None:
        actor = Actor(person.id, person.name, self._address)
        await record(self._connection, actor, action, "member", id_=person.id, **values)
