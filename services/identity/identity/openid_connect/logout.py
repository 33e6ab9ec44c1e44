"""End sessions because their issuer says so (OpenID Connect Back-Channel Logout 1.0)."""

import logging
from collections import Counter
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import ReturningUpdate

from identity.openid_connect.failures import Reason, Refused
from identity.openid_connect.issuers import Issuer
from identity.openid_connect.logout_token import OLDEST_S, LogoutToken
from identity.openid_connect.service import Issuers
from identity.people import find_by_id
from identity.state import Connections
from identity.tokens import token_hash
from identity.trail import Actor, record
from llmbench.db.tables import logout_token, person_login, session_login, web_session

_REMEMBERED: Final = timedelta(seconds=2 * OLDEST_S)
_log = logging.getLogger(__name__)


class LogoutService:
    def __init__(self, opened: Connections, issuers: Issuers, address: str) -> None:
        self._opened = opened
        self._issuers = issuers
        self._address = address

    async def end(self, name: str, token: str) -> bool:
        """End the sessions that a logout token names, and return whether the token is valid.

        Raises a 404 `Problem` for an unknown issuer. A token is also valid if it concerns none of the sessions here.
        """
        provider = self._issuers.find(name)
        try:
            named = await provider.logout(token)
            await self._end(provider.issuer, named)
        except Refused as refusal:
            _log.warning("a logout token of %s from %s was refused: %s", name[:40], self._address, refusal)
            return False
        return True

    async def _end(self, issuer: Issuer, named: LogoutToken) -> None:
        async with self._opened.engine.begin() as connection:
            await _use(connection, issuer.issuer, named.id)
            ended = (await connection.execute(_ending(issuer.issuer, named))).all()
            counts = Counter((row.current_org_id, row.person_id) for row in ended if row.current_org_id)
            for (org_id, person_id), sessions in counts.items():
                # The sessions of a person may work in several organisations, and each gets its entry.
                await connection.execute(select(func.set_config("app.org", str(org_id), True)))
                found = await find_by_id(connection, person_id)
                actor = Actor(person_id, found.name if found else "", self._address)
                after = {"issuer": issuer.name, "sessions": sessions}
                await record(connection, actor, "ended", "session", id_=person_id, after=after)
        await self._opened.revoke([row.id for row in ended])


async def _use(connection: AsyncConnection, issuer: str, id_: str) -> None:
    """Store the id of a logout token. Raises `Refused` if a token with this id was used before."""
    await connection.execute(delete(logout_token).where(logout_token.c.expires_at < func.now()))
    values = {"issuer": issuer, "id_hash": token_hash(id_), "expires_at": func.now() + _REMEMBERED}
    used = insert(logout_token).values(values).on_conflict_do_nothing()
    if (await connection.execute(used)).rowcount != 1:
        raise Refused(Reason.ISSUER, "the logout token was used before")


def _ending(issuer: str, named: LogoutToken) -> ReturningUpdate[tuple[UUID, UUID, UUID | None]]:
    """Return the statement that ends the sessions named by the logout token. It returns the id, the person and the
    organisation of each session."""
    began = (
        select(session_login.c.session_id)
        .join(person_login, person_login.c.id == session_login.c.login_id)
        .where(person_login.c.issuer == issuer)
    )
    if named.subject is not None:
        began = began.where(person_login.c.subject == named.subject)
    if named.session is not None:
        began = began.where(session_login.c.issuer_session == named.session)
    return (
        update(web_session)
        .where(web_session.c.id.in_(began), web_session.c.revoked_at.is_(None))
        .values(revoked_at=func.now())
        .returning(web_session.c.id, web_session.c.person_id, web_session.c.current_org_id)
    )
