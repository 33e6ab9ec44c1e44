"""Sign people in through issuers, link identities at issuers to accounts, and sign people out at their issuers."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode
from uuid import UUID

from sqlalchemy import select

from identity.openid_connect.admission import Admission
from identity.openid_connect.attempts import Attempt, Begun, begin, new_secrets, take
from identity.openid_connect.failures import Reason, Refused
from identity.openid_connect.issuers import Issuer
from identity.openid_connect.logins import Login, delete_login, issuer_of_session, logins_of, note_session
from identity.people import belongings, find_by_id
from identity.problems import missing
from identity.sessions import Session
from identity.sign_in.links import Link, find_link
from identity.sign_in.service import SignInService
from identity.state import Connections
from identity.tokens import token_hash
from identity.trail import Actor, record
from llmbench.db.tables import organisation
from llmbench.errors import BadSettings, Problem
from llmbench.http.listeners import Listeners
from llmbench.organisation import working_for

if TYPE_CHECKING:
    from identity.openid_connect.id_token import Claims
    from identity.openid_connect.provider import Provider

SIGN_IN_PAGE: Final = "/sign-in"
LINKED_PAGE: Final = "/settings/linked-accounts"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Issuers:
    """The configured issuers by name, and the origins of this platform. An issuer sends the browser back to one
    of `origins`: the one that the browser's request names, or else the first."""

    providers: Mapping[str, "Provider"]
    origins: tuple[str, ...]

    def callback(self, name: str, origin: str | None) -> str:
        """Return the URL to which the issuer `name` sends the browser back. `origin` is the origin of the browser's
        request, if known."""
        return f"{self.origin(origin)}/api/auth/issuers/{name}/callback"

    def origin(self, given: str | None) -> str:
        return given if given in self.origins else self.origins[0]

    def find(self, name: str) -> "Provider":
        if name not in self.providers:
            raise Problem(404, "Not found", f"There is no issuer {name[:40]!r} here.")
        return self.providers[name]


def open_issuers(issuers: Sequence[Issuer], *, origins: tuple[str, ...], own: Listeners) -> Issuers:
    """Return the configured issuers, each with the `Provider` that sends requests to it. No connection is opened yet.
    `origins` are those of this platform, and `own` recognises its own servers, to which no such request may go."""
    if not issuers:
        return Issuers({}, origins)
    # Import here: without issuers, the libraries for tokens and HTTP would only cost memory.
    from identity.openid_connect.provider import Provider

    return Issuers({each.name: Provider(each, own=own) for each in issuers}, origins)


async def require_organisations(opened: Connections, issuers: Issuers) -> None:
    """Raise `BadSettings` if the organisation of an issuer does not exist."""
    async with opened.everybody.connect() as connection:
        known = set((await connection.execute(select(organisation.c.id))).scalars())
    for name, provider in issuers.providers.items():
        if provider.issuer.organisation not in known:
            raise BadSettings(f"LLMBENCH_IDENTITY_ISSUERS: the issuer {name} names an organisation that does not exist")


@dataclass(frozen=True)
class Callback:
    """A browser's return from an issuer: the parameters in the URL, and the tokens in the browser's cookies."""

    parameters: Mapping[str, Sequence[str]]
    browser: str | None
    session: str | None

    def one(self, name: str) -> str | None:
        """Return a parameter; `None` if it is missing. Raises `Refused` if it occurs twice, because it is then
        not clear which value counts."""
        values = self.parameters.get(name, ())
        if len(values) > 1:
            raise Refused(Reason.ATTEMPT, f"the answer has {name} twice")
        return values[0] if values else None


@dataclass(frozen=True)
class Finished:
    """The result of an attempt: the address to which the browser is sent, and the token of the new session, if there is
    one."""

    location: str
    token: str | None = None


class OpenIdConnectService:
    def __init__(self, opened: Connections, issuers: Issuers, address: str, device: str = "") -> None:
        self._opened = opened
        self._issuers = issuers
        self._address = address
        self._sign_in = SignInService(opened, address, device)

    async def begin(
        self, name: str, next_path: str, origin: str | None, person_id: UUID | None, invitation: str | None = None
    ) -> tuple[str, Begun]:
        """Begin an attempt to sign in, to accept an invitation, or to link a login. Return the issuer's address and the
        attempt's secrets.

        Raises a `Problem`: 404 for an unknown issuer, 410 for an invitation that is not valid, 429 after too many
        attempts, or 502 if the issuer gives no valid answer.
        """
        provider, begun = self._issuers.find(name), new_secrets()
        # The account is not known yet, so only the attempts of the client's address are limited.
        self._opened.attempts.take(self._address, begun.state)
        invited = None if invitation is None else token_hash(invitation)
        if invited is not None:
            await self._link_of(invited)
        attempt = Attempt(name, self._issuers.callback(name, origin), next_path, person_id, invited)
        async with self._opened.engine.begin() as connection:
            await begin(connection, attempt, begun)
        try:
            return await provider.sign_in_url(begun.state, begun.trip(attempt.redirect_uri)), begun
        except Refused as refusal:
            _log.warning("the issuer %s cannot be used: %s", name, refusal)
            title = provider.issuer.title
            raise Problem(
                502,
                "Issuer unavailable",
                f"{title} does not answer as it should. Try again in a moment; the log of the identity service says "
                "what is wrong.",
            ) from None

    async def finish(self, name: str, callback: Callback) -> Finished:
        """Finish an attempt. After a refusal, the browser is sent to the page where the attempt began, with the reason
        in the URL."""
        page, next_path = SIGN_IN_PAGE, ""
        try:
            provider = self._issuers.find(name)
            attempt, begun = await self._attempt(name, callback)
            next_path = attempt.next_path
            page = SIGN_IN_PAGE if attempt.person_id is None else LINKED_PAGE
            claims = await self._claims(provider, callback, attempt, begun)
            if attempt.person_id is not None:
                await self._link(provider.issuer, claims, attempt.person_id, callback.session)
                return Finished(next_path)
            return Finished(next_path, await self._enter(provider.issuer, claims, callback.session, attempt))
        except Refused as refusal:
            _log.warning("a sign-in through %s from %s was refused: %s", name[:40], self._address, refusal)
            asked = {"refused": refusal.reason.value, **({"next": next_path} if next_path else {})}
            return Finished(f"{page}?{urlencode(asked)}")

    async def _attempt(self, name: str, callback: Callback) -> tuple[Attempt, Begun]:
        state = callback.one("state")
        if not state or not callback.browser:
            raise Refused(Reason.ATTEMPT, "it has no state, or the browser has no cookie")
        self._opened.attempts.take(self._address, state)
        begun = Begun(state, callback.browser)
        async with self._opened.engine.begin() as connection:
            stored = await take(connection, state)
        # Commit first, so that a refused attempt cannot be used again.
        if stored is None:
            raise Refused(Reason.ATTEMPT, "there is no such attempt, or it was used before")
        return stored.usable(begun, name), begun

    async def _claims(self, provider: "Provider", callback: Callback, attempt: Attempt, begun: Begun) -> "Claims":
        await provider.require_same_issuer(callback.one("iss"))
        error = callback.one("error")
        if error is not None:
            raise Refused(Reason.DENIED, f"the issuer answers {error[:100]!r}")
        code = callback.one("code")
        if not code or len(code) > 4096:
            raise Refused(Reason.ISSUER, "the answer has no code")
        return await provider.claims(code, begun.trip(attempt.redirect_uri))

    async def _enter(self, issuer: Issuer, claims: "Claims", presented: str | None, attempt: Attempt) -> str:
        link = None
        if attempt.invitation_hash is not None:
            try:
                link = await self._link_of(attempt.invitation_hash)
            except Problem:
                raise Refused(Reason.INVITATION) from None
        org_id = issuer.organisation if link is None else link.org_id
        with working_for(org_id):
            async with self._opened.engine.begin() as connection:
                admission = Admission(connection, issuer, claims, self._address)
                admitted = await (admission.admit() if link is None else admission.accept(link))
        await self._opened.revoke(admitted.ended)
        async with self._opened.everybody.connect() as connection:
            if not await belongings(connection, admitted.person.id):
                raise Refused(Reason.NOT_ALLOWED, "the person is a member of no organisation")
        started = await self._sign_in.start(admitted.person, presented=presented, org_id=org_id, strong=True)
        async with self._opened.engine.begin() as connection:
            await note_session(connection, started.token, admitted.login_id, claims.session)
        return started.token

    async def _link_of(self, invitation_hash: bytes) -> Link:
        async with self._opened.everybody.connect() as connection:
            return await find_link(connection, invitation_hash)

    async def _link(self, issuer: Issuer, claims: "Claims", person_id: UUID, presented: str | None) -> None:
        session = await self._session(presented)
        if session is None or session.person_id != person_id:
            raise Refused(Reason.SESSION)
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                person = await find_by_id(connection, person_id)
                if person is None or person.disabled:
                    raise Refused(Reason.SESSION)
                id_ = await Admission(connection, issuer, claims, self._address).link(person)
                if session.org_id is not None:
                    actor = Actor(person.id, person.name, self._address)
                    await record(connection, actor, "linked", "login", id_=id_, after={"issuer": issuer.name})

    async def _session(self, token: str | None) -> Session | None:
        try:
            return await self._sign_in.require_session(token)
        except Problem:
            return None

    async def person_of(self, token: str) -> UUID:
        """Return the person of a session. Raises a 401 `Problem` if the session has ended."""
        return (await self._sign_in.require_session(token)).person_id

    async def logins(self, token: str) -> Sequence[Login]:
        session = await self._sign_in.require_session(token)
        async with self._opened.engine.connect() as connection:
            return await logins_of(connection, session.person_id)

    async def unlink(self, token: str, id_: UUID) -> None:
        """Remove a login. Raises a `Problem`: 404 if the person has no such login, 409 if it is the only way to sign
        in."""
        session = await self._sign_in.require_session(token)
        with working_for(session.org_id):
            async with self._opened.engine.begin() as connection:
                mine = await logins_of(connection, session.person_id)
                login = next((each for each in mine if each.id == id_), None)
                if login is None:
                    raise missing("login", id_)
                person = await find_by_id(connection, session.person_id)
                if len(mine) == 1 and (person is None or person.password_hash is None):
                    raise Problem(
                        409, "Only way to sign in", "You have no password, so you could not sign in without this login."
                    )
                ended = await delete_login(connection, id_, except_token=token)
                if session.org_id is not None:
                    actor = Actor(session.person_id, session.person_name, self._address)
                    await record(connection, actor, "unlinked", "login", id_=id_, before={"issuer": login.issuer})
        await self._opened.revoke(ended)

    async def sign_out(self, token: str, origin: str | None) -> str | None:
        """End the session on this platform. Return the address at which the person ends the session at the issuer, if
        there is one."""
        async with self._opened.engine.connect() as connection:
            issuer = await issuer_of_session(connection, token)
        await self._sign_in.sign_out(token)
        provider = next((each for each in self._issuers.providers.values() if each.issuer.issuer == issuer), None)
        if provider is None:
            return None
        return await provider.sign_out_url(f"{self._issuers.origin(origin)}{SIGN_IN_PAGE}")
