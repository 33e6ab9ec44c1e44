"""Check a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), by which an issuer ends sessions here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from identity.openid_connect.failures import Reason, Refused
from identity.openid_connect.id_token import ALGORITHMS, LEEWAY_S, UnknownKey, require_numbers

EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
OLDEST_S: Final = 600
"""The age in seconds beyond which a token is refused. Used tokens are remembered for longer than that."""
_TYPES: Final = frozenset({"logout+jwt", "jwt", ""})
_MOST_CHARACTERS: Final = 255


@dataclass(frozen=True)
class LogoutToken:
    """The content of a logout token. `id` is the id of the token itself. The issuer ends the sessions of the person
    `subject`, or the session with the id `session` at the issuer. If both are set, both have to match."""

    id: str
    subject: str | None
    session: str | None


def verified_logout(
    token: str, keys: KeySet, *, issuer: str, client_id: str, algorithms: tuple[str, ...], now: float
) -> LogoutToken:
    """Return the content of a token. Raises `UnknownKey` if `keys` lacks the key that the token names, and `Refused` if
    any other check fails."""
    allowed = [each for each in ALGORITHMS if each in algorithms]
    try:
        read = jwt.decode(token, keys, registry=JWSRegistry(algorithms=allowed, strict_check_header=False))
        if not isinstance(read.claims, dict):
            raise ValueError("it is not a JSON object")
        if str(read.header.get("typ", "")).lower() not in _TYPES:
            raise ValueError("it is a token of another kind")
        return _checked(read.claims, issuer, client_id, now)
    except InvalidKeyIdError:
        raise UnknownKey from None
    except (JoseError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise Refused(Reason.ISSUER, f"the logout token is not valid: {error!r}") from None


def _checked(claims: Mapping[str, Any], issuer: str, client_id: str, now: float) -> LogoutToken:
    require_numbers(claims)
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    events = claims.get("events")
    if claims.get("iss") != issuer:
        raise ValueError("it is from another issuer")
    if client_id not in audiences:
        raise ValueError("it is for somebody else")
    if not isinstance(events, dict) or not isinstance(events.get(EVENT), dict):
        raise ValueError("it names no logout")
    if "nonce" in claims:
        # ID tokens have a nonce, and an ID token must not end a session.
        raise ValueError("it has a nonce")
    issued, expires = claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int | float) or not now - OLDEST_S <= issued <= now + LEEWAY_S:
        raise ValueError("its time is not now")
    if expires is not None and (not isinstance(expires, int | float) or expires < now - LEEWAY_S):
        raise ValueError("it has expired")
    id_, subject, session = _text(claims, "jti"), _text(claims, "sub"), _text(claims, "sid")
    if id_ is None:
        raise ValueError("it has no id")
    if subject is None and session is None:
        raise ValueError("it names neither a subject nor a session")
    return LogoutToken(id_, subject, session)


def _text(claims: Mapping[str, Any], name: str) -> str | None:
    """Return a claim; `None` without it. Raises `ValueError` for one that is no usable text."""
    value = claims.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_CHARACTERS or "\x00" in value:
        raise ValueError(f"{name} is no usable text")
    return value
