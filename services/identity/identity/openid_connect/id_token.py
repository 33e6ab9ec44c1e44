"""Check an ID token (OpenID Connect Core 1.0, section 3.1.3.7), and read which person it names.

The algorithms are chosen here and not by the token. All of them need the issuer's private key: neither `none` nor an
HMAC with the public key as its secret is accepted.
"""

import math
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import ECKey, Key, KeySet, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

from identity.openid_connect.failures import Reason, Refused
from llmbench.http.email_address import normalised_email

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
LEEWAY_S: Final = 60
"""The allowed difference, in seconds, between the issuer's clock and the clock of this machine."""
_MOST_KEYS: Final = 100
_MOST_CHARACTERS: Final = 255
_MOST_GROUPS: Final = 1000
_KEY_TYPES: Final[Mapping[str, type[RSAKey | ECKey | OKPKey]]] = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey}


class UnknownKey(Refused):
    """Raised for a token that names a key which is not in the key set. The issuer may have a new key."""

    def __init__(self) -> None:
        super().__init__(Reason.ISSUER, "the ID token names a key that the issuer does not publish")


@dataclass(frozen=True)
class Expected:
    """The values that an ID token has to have. `algorithms` are those that the issuer announces."""

    issuer: str
    client_id: str
    nonce: str
    algorithms: tuple[str, ...]
    access_token: str | None = None


@dataclass(frozen=True)
class Claims:
    """The person that an issuer names. `email` is `None` unless the issuer has verified it."""

    subject: str
    name: str
    email: str | None
    groups: tuple[str, ...]
    session: str | None = None
    """The id of the session at the issuer, with which the issuer may end the session here."""


def key_set(document: Mapping[str, Any]) -> KeySet:
    """Return the keys for signatures in a JSON Web Key Set (RFC 7517). Other keys and unreadable ones are left out.

    Raises `Refused` if no key is left.
    """
    listed = document.get("keys")
    given = listed[:_MOST_KEYS] if isinstance(listed, list) else []
    keys: list[Key] = [key for each in given if (key := _key(each)) is not None]
    if not keys:
        raise Refused(Reason.ISSUER, "the issuer publishes no key for signatures")
    return KeySet(keys)


def _key(document: Any) -> Key | None:
    if not isinstance(document, dict) or document.get("use", "sig") != "sig":
        return None
    kind = _KEY_TYPES.get(str(document.get("kty")))
    public = {name: value for name, value in document.items() if name not in ("d", "p", "q", "dp", "dq", "qi", "oth")}
    try:
        return None if kind is None else kind.import_key(public)
    except (JoseError, ValueError, TypeError, KeyError):
        return None


def verified(token: object, keys: KeySet, expected: Expected, *, now: float) -> dict[str, Any]:
    """Return the claims of an ID token. Raises `UnknownKey` if `keys` lacks the key that the token names, and `Refused`
    if any other check fails."""
    allowed = [each for each in ALGORITHMS if each in expected.algorithms]
    if not isinstance(token, str) or not allowed:
        raise Refused(Reason.ISSUER, "there is no ID token, or none signed by an algorithm accepted here")
    try:
        read = jwt.decode(token, keys, registry=JWSRegistry(algorithms=allowed, strict_check_header=False))
        if not isinstance(read.claims, dict):
            raise Refused(Reason.ISSUER, "the ID token is not a JSON object")
        require_numbers(read.claims)
        checked = CodeIDToken(
            read.claims,
            read.header,
            options={
                "iss": {"essential": True, "value": expected.issuer},
                "aud": {"essential": True, "value": expected.client_id},
                "sub": {"essential": True},
                "nonce": {"essential": True, "value": expected.nonce},
            },
            params={
                "nonce": expected.nonce,
                "client_id": expected.client_id,
                "access_token": expected.access_token,
            },
        )
        checked.validate(now=int(now), leeway=LEEWAY_S)
    except InvalidKeyIdError:
        raise UnknownKey from None
    except (JoseError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise Refused(Reason.ISSUER, f"the ID token is not valid: {error!r}") from None
    return dict(checked)


def require_numbers(claims: Mapping[str, Any]) -> None:
    """Raise `ValueError` for times that are not finite numbers: Python's JSON parser accepts NaN and infinities."""
    for name in ("exp", "iat", "nbf", "auth_time"):
        value = claims.get(name)
        if isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
            raise ValueError(f"{name} is no time")


def claims_of(document: Mapping[str, Any], *, groups_claim: str) -> Claims:
    """Build the description of a person from the claims of an ID token that has been checked. `groups_claim` is the
    name of the claim with the person's groups.

    Raises `Refused` if the claim `sub`, the person's id at the issuer, is missing or malformed.
    """
    subject = document.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= _MOST_CHARACTERS or "\x00" in subject:
        raise Refused(Reason.ISSUER, "the ID token names no subject")
    email = _email(document)
    texts = (document.get(name) for name in ("name", "preferred_username"))
    name = next((clean for text in texts if (clean := _clean(text))), email or "somebody")
    session = document.get("sid")
    session = (
        session if isinstance(session, str) and len(session) <= _MOST_CHARACTERS and "\x00" not in session else None
    )
    return Claims(subject, name, email, _groups(document, groups_claim), session)


def _email(document: Mapping[str, Any]) -> str | None:
    # Accept only the JSON value true: a truth test would accept the text "false", too.
    if document.get("email_verified") is not True or not isinstance(document.get("email"), str):
        return None
    try:
        email = normalised_email(document["email"])
    except ValueError:
        return None
    return email if len(email) <= 254 else None


def _clean(text: object) -> str:
    if not isinstance(text, str):
        return ""
    printed = (each for each in text if unicodedata.category(each) not in ("Cc", "Cf", "Cs"))
    return "".join(printed).strip()[:_MOST_CHARACTERS]


def _groups(document: Mapping[str, Any], claim: str) -> tuple[str, ...]:
    """Return the groups in a claim, whose name may be a path such as `realm_access.roles`."""
    found: Any = document.get(claim)
    if found is None:
        found = document
        for step in claim.split("."):
            found = found.get(step) if isinstance(found, dict) else None
    listed: Iterable[Any] = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    return tuple(each for each in list(listed)[:_MOST_GROUPS] if isinstance(each, str))
