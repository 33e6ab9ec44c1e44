"""Store attempts to sign in between the browser's two requests: the beginning, and the return from the issuer. Each
attempt can be used once.

The database has hashes only. The `nonce` and the PKCE verifier are derived from the cookie and the `state`. So a reader
of the database cannot finish an attempt, and a `state` is useless in another browser.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, func, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from identity.openid_connect.failures import Reason, Refused
from identity.tokens import new_token, token_hash
from llmbench.db.tables import sign_in_attempt

LASTS: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class Attempt:
    """An attempt to sign in at one issuer. `person_id` is set if the attempt links a login to the account of a person
    who has signed in. `invitation_hash` is set if it accepts the invitation whose token has this hash."""

    issuer_name: str
    redirect_uri: str
    next_path: str
    person_id: UUID | None = None
    invitation_hash: bytes | None = None


@dataclass(frozen=True)
class Trip:
    """The values of an attempt that are sent to the issuer, directly or as a hash. The issuer's answer is checked
    against them."""

    redirect_uri: str
    nonce: str
    verifier: str


@dataclass(frozen=True)
class Begun:
    """The secrets of a new attempt to sign in. `state` is sent to the issuer; `browser` is stored in a cookie."""

    state: str
    browser: str

    def trip(self, redirect_uri: str) -> Trip:
        return Trip(redirect_uri, self._derived(b"nonce"), self._derived(b"verifier"))

    def _derived(self, what: bytes) -> str:
        key = self.browser.encode("utf-8", errors="surrogatepass")
        message = b"llmbench openid connect " + what + b"\0" + self.state.encode("utf-8", errors="surrogatepass")
        return base64.urlsafe_b64encode(hmac.digest(key, message, hashlib.sha256)).decode().rstrip("=")


def new_secrets() -> Begun:
    return Begun(new_token(), new_token())


async def begin(connection: AsyncConnection, attempt: Attempt, begun: Begun) -> None:
    """Store an attempt, and remove those that have expired."""
    await connection.execute(delete(sign_in_attempt).where(sign_in_attempt.c.expires_at < func.now()))
    values = {
        "state_hash": token_hash(begun.state),
        "browser_hash": token_hash(begun.browser),
        "issuer_name": attempt.issuer_name,
        "redirect_uri": attempt.redirect_uri,
        "next_path": attempt.next_path,
        "person_id": attempt.person_id,
        "invitation_hash": attempt.invitation_hash,
        "expires_at": func.now() + LASTS,
    }
    await connection.execute(insert(sign_in_attempt).values(values))


@dataclass(frozen=True)
class Stored:
    """An attempt that was read from the database. `lasts` is false if the attempt has expired."""

    attempt: Attempt
    browser_hash: bytes
    lasts: bool

    def usable(self, begun: Begun, issuer_name: str) -> Attempt:
        """Return the attempt. Raises `Refused` if it belongs to another browser or issuer, or has expired."""
        if not hmac.compare_digest(self.browser_hash, token_hash(begun.browser)):
            raise Refused(Reason.ATTEMPT, "it began in another browser")
        if self.attempt.issuer_name != issuer_name:
            raise Refused(Reason.ATTEMPT, f"it was sent to {self.attempt.issuer_name}, and {issuer_name} answers")
        if not self.lasts:
            raise Refused(Reason.ATTEMPT, "it has expired")
        return self.attempt


async def take(connection: AsyncConnection, state: str) -> Stored | None:
    """Delete an attempt and return it. Return `None` if there is none, for instance because it was used already."""
    gone = delete(sign_in_attempt).where(sign_in_attempt.c.state_hash == token_hash(state))
    lasts = (sign_in_attempt.c.expires_at > func.now()).label("lasts")
    row = (await connection.execute(gone.returning(*sign_in_attempt.c, lasts))).one_or_none()
    if row is None:
        return None
    attempt = Attempt(row.issuer_name, row.redirect_uri, row.next_path, row.person_id, row.invitation_hash)
    return Stored(attempt, row.browser_hash, row.lasts)
