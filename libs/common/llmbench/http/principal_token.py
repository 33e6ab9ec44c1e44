"""The token with which the edge names the person of a request: a JWT that the identity service signs for each request.

It is a header of the request inside the platform, valid for a minute. Clients never get it, and the edge removes the
header from their requests.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import jwt

from llmbench.access import Principal, Role
from llmbench.errors import LlmbenchError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

HEADER: Final = "Llmbench-Principal"
ALGORITHM: Final = "EdDSA"
LIFETIME: Final = timedelta(seconds=60)
LEEWAY: Final = timedelta(seconds=5)
"""The difference allowed between the clocks of two machines."""
_ISSUER: Final = "llmbench-identity"
_AUDIENCE: Final = "llmbench"
_CLAIMS: Final = ("iss", "aud", "sub", "iat", "exp", "org", "role", "cred")


class BadPrincipal(LlmbenchError):
    """Raised when a token is malformed, forged, expired, or issued for another purpose."""


def write(principal: Principal, *, key_id: str, key: "Ed25519PrivateKey", at: datetime) -> str:
    """Return the signed token of a principal, valid from `at` for a minute (`LIFETIME`)."""
    claims = {
        "iss": _ISSUER,
        "aud": _AUDIENCE,
        "sub": str(principal.person_id),
        "org": str(principal.org_id),
        "role": principal.role.value,
        "cred": str(principal.credential_id),
        "scopes": None if principal.scopes is None else sorted(principal.scopes),
        "iat": int(at.timestamp()),
        "exp": int((at + LIFETIME).timestamp()),
    }
    return jwt.encode(claims, key, algorithm=ALGORITHM, headers={"kid": key_id})


def key_id_of(token: str) -> str:
    """Return the id of the key that the token names, without checking the signature. Raises `BadPrincipal` if it names
    none."""
    try:
        header = jwt.get_unverified_header(token)
    except jwt.InvalidTokenError as error:
        raise BadPrincipal(f"it is no token: {error}") from None
    key_id = header.get("kid")
    if header.get("alg") != ALGORITHM or not isinstance(key_id, str):
        raise BadPrincipal(f"it is not signed with {ALGORITHM} by a named key")
    return key_id


def read(token: str, *, key: "Ed25519PublicKey", at: datetime) -> Principal:
    """Return the principal of a token. Raises `BadPrincipal` unless `key` signed it and it is valid at `at`."""
    try:
        claims: Mapping[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            issuer=_ISSUER,
            audience=_AUDIENCE,
            # The times are compared below, with the caller's clock.
            options={"require": list(_CLAIMS), "verify_exp": False, "verify_iat": False, "verify_nbf": False},
        )
        _require_current(claims, at)
        scopes = claims.get("scopes")
        return Principal(
            person_id=UUID(claims["sub"]),
            org_id=UUID(claims["org"]),
            role=Role(claims["role"]),
            credential_id=UUID(claims["cred"]),
            scopes=None if scopes is None else frozenset(map(str, scopes)),
        )
    except jwt.InvalidTokenError as error:
        raise BadPrincipal(f"it is not valid: {error}") from None
    except (ValueError, TypeError, AttributeError):
        raise BadPrincipal("its claims are malformed") from None


def _require_current(claims: Mapping[str, Any], at: datetime) -> None:
    now, leeway_s = at.timestamp(), LEEWAY.total_seconds()
    if float(claims["exp"]) < now - leeway_s:
        raise BadPrincipal("it has expired")
    if float(claims["iat"]) > now + leeway_s:
        raise BadPrincipal("it is from the future")
