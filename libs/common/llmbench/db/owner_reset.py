"""Restore the access of an owner who has lost password and second factor. Only the operator can do this, with the login
that owns the tables."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from llmbench.db.connection import connected
from llmbench.errors import LlmbenchError
from llmbench.ids import new_id

PAGE: Final = "/reset-password"
LASTS: Final = timedelta(hours=1)
OPERATOR: Final = "operator"
"""The operator's name in the audit log. The operator has no account, so the entry names no person."""
_OWNERSHIPS: Final = """
SELECT person.id, membership.org_id, organisation.name FROM person
JOIN membership ON membership.person_id = person.id AND membership.role = 'owner'
JOIN organisation ON organisation.id = membership.org_id
WHERE person.email = $1 AND person.disabled_at IS NULL AND person.service_of IS NULL ORDER BY membership.created_at
"""
_OWNERS: Final = """
SELECT DISTINCT person.email FROM person JOIN membership ON membership.person_id = person.id
WHERE membership.role = 'owner' AND person.disabled_at IS NULL AND person.service_of IS NULL ORDER BY 1 LIMIT 20
"""
_LINK: Final = """
INSERT INTO password_reset (id, org_id, person_id, token_hash, second_factor, created_by, expires_at)
VALUES ($1, $2, $3, $4, $5, NULL, now() + $6) RETURNING expires_at
"""
_ENTRY: Final = """
INSERT INTO audit_entry (id, org_id, person_name, action, resource, resource_id, after)
VALUES ($1, $2, $3, 'created', 'password-reset', $4, jsonb_build_object('second_factor', $5::boolean))
"""


@dataclass(frozen=True)
class OwnerReset:
    """A link by which an owner chooses a new password, once and until `expires_at`. `path` is the part of its URL after
    the platform's address. It contains the secret token, and is stored nowhere. `organisations` has the names of the
    organisations of which the person is an owner."""

    path: str
    expires_at: datetime
    organisations: tuple[str, ...]


class NoOwner(LlmbenchError):
    """Raised if no owner has the e-mail address. The message lists the addresses of the owners."""


async def make_owner_reset(owner_url: str, email: str, *, second_factor: bool) -> OwnerReset:
    """Create a link by which an owner chooses a new password. With `second_factor`, the link removes the
    second factor, too.

    The link replaces earlier links of the person. Each organisation that the person owns gets an entry in its audit
    log. Raises `NoOwner` if no owner has this e-mail address.
    """
    token = secrets.token_urlsafe(32)
    async with (
        connected(owner_url, application_name="llmbench reset-owner", everybody=True) as connection,
        connection.transaction(),
    ):
        owned = await connection.fetch(_OWNERSHIPS, email.strip().lower())
        if not owned:
            known = ", ".join(row["email"] for row in await connection.fetch(_OWNERS))
            there = f"owners are {known}" if known else "there is no owner yet: open the link that the platform printed"
            raise NoOwner(f"no owner has the address {email!r}; {there}")
        person_id: UUID = owned[0]["id"]
        await connection.execute("DELETE FROM password_reset WHERE person_id = $1", person_id)
        expires_at = await connection.fetchval(
            _LINK, new_id(), owned[0]["org_id"], person_id, _hash(token), second_factor, LASTS
        )
        for row in owned:
            await connection.execute(_ENTRY, new_id(), row["org_id"], OPERATOR, str(person_id), second_factor)
    return OwnerReset(f"{PAGE}#{token}", expires_at, tuple(row["name"] for row in owned))


def _hash(token: str) -> bytes:
    """Return the hash under which the identity service finds a link's token."""
    return hashlib.sha256(token.encode()).digest()
