"""Read the person of a request from a token that a proxy in front of the platform signs (LLMBENCH_AUTH=proxy).

The token is a JWT in a header of the request. Its signature, issuer, audience and times are checked with every request.
A client that bypasses the proxy can therefore not pretend to be a person.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import jwt
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from fastapi import Request

from llmbench.access import Role
from llmbench.errors import Problem
from llmbench.http.authentication import not_signed_in
from llmbench.http.email_address import normalised_email

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""The accepted signature algorithms, which all need a private key. Shared secrets and `none` are never accepted."""
LEEWAY_S: Final = 30
FETCH_AGAIN_S: Final = 30.0
"""The minimum number of seconds between two fetches because of unknown keys, so that forged tokens cannot cause a
flood."""
_MOST_BYTES: Final = 256 * 1024
_MOST_OF_TOKEN: Final = 16 * 1024
_log = logging.getLogger(__name__)

Fetch = Callable[[], Awaitable[bytes]]
"""Returns the proxy's keys: a JSON Web Key Set (RFC 7517) or a public key as PEM. Raises `OSError`."""


@dataclass(frozen=True, kw_only=True)
class ProxyRules:
    """The rules for accepting tokens, and for people without an account.

    People without an account get the role `join_role` in the default organisation; `None` refuses them. People with one
    of the e-mail addresses in `owners` become owners of this organisation.
    """

    header: str
    issuer: str
    audience: str
    algorithms: tuple[str, ...]
    email_claim: str = "email"
    name_claim: str = "name"
    join_role: Role | None = None
    owners: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Named:
    """The person that a token names."""

    email: str
    name: str


@dataclass
class Proxy:
    rules: ProxyRules
    fetch: Fetch
    clock: Callable[[], float] = time.monotonic
    _keys: dict[str, Any] = field(default_factory=dict)
    _fetched_at: float | None = None
    _fetching: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def read(self, request: Request) -> Named:
        """Return the person that the request's token names.

        Raises a `Problem`: 401 without a valid token, 503 if the proxy's keys could not be fetched yet.
        """
        tokens = request.headers.getlist(self.rules.header)
        if len(tokens) != 1 or len(tokens[0]) > _MOST_OF_TOKEN:
            raise _refused(f"it has no header {self.rules.header}, or several")
        token = tokens[0].removeprefix("Bearer ").strip()
        try:
            header = jwt.get_unverified_header(token)
            key = await self._find(header.get("kid"))
            claims = jwt.decode(
                token,
                key=key,
                algorithms=list(self.rules.algorithms),
                issuer=self.rules.issuer,
                audience=self.rules.audience,
                leeway=LEEWAY_S,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            # Do not log the token: anyone who reads it could use it until it expires.
            _log.warning("a token of the proxy is refused: %s", type(error).__name__)
            raise _refused("its token is not valid: signature, issuer, audience or time") from None
        return self._named(claims)

    async def require(self, request: Request, email: str) -> None:
        """Raise a 401 `Problem` unless the token of the request names the person with the address `email`. The caller
        passes the address of the person whose session the request presents."""
        if (await self.read(request)).email != email:
            raise not_signed_in("The proxy names somebody else than this session. Load the page again.")

    def _named(self, claims: Mapping[str, Any]) -> Named:
        try:
            email = normalised_email(str(claims.get(self.rules.email_claim, "")))
        except ValueError:
            raise _refused(f"its token has no e-mail address as {self.rules.email_claim}") from None
        if claims.get("email_verified") is False:
            raise _refused("its token says that the e-mail address is not verified")
        name = "".join(each for each in str(claims.get(self.rules.name_claim) or email) if each.isprintable())
        return Named(email, name[:255] or email)

    async def _find(self, key_id: object) -> Any:
        """Return the proxy's key with this id, or the only key if the token has no key id or the key is a PEM file.

        If the key is unknown, the proxy's keys are fetched again, at most every `FETCH_AGAIN_S` seconds. Raises
        `jwt.InvalidKeyError` if the key is still unknown, or if several keys fit.
        """
        found = self._known(key_id)
        if found is None:
            async with self._fetching:
                found = self._known(key_id)
                if found is None and self._may_fetch():
                    await self._refresh()
                    found = self._known(key_id)
        if found is None:
            raise jwt.InvalidKeyError("unknown key")
        return found

    def _known(self, key_id: object) -> Any:
        if key_id is None or "" in self._keys:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(str(key_id))

    def _may_fetch(self) -> bool:
        return self._fetched_at is None or self.clock() - self._fetched_at >= FETCH_AGAIN_S

    async def _refresh(self) -> None:
        self._fetched_at = self.clock()
        try:
            self._keys = keys_of(await self.fetch())
        except (OSError, ValueError, jwt.PyJWTError) as error:
            _log.warning("the proxy's keys cannot be read: %r", error)
            if not self._keys:
                raise Problem(
                    503, "Sign-in unavailable", "The keys of the proxy cannot be read; try again in a moment."
                ) from error


def keys_of(text: bytes) -> dict[str, Any]:
    """Return the public keys by their ids. A PEM file has one key, whose id is empty. Raises `ValueError` or
    `PyJWTError` if the text is neither a key set nor a PEM file."""
    if text.lstrip().startswith(b"-----BEGIN"):
        return {"": load_pem_public_key(text)}
    keys = jwt.PyJWKSet.from_dict(json.loads(text)).keys
    return {key.key_id or "": key.key for key in keys if key.key_type != "oct"}


def fetch_from(place: str) -> Fetch:
    """Return a function that reads the keys from a URL or a file."""

    async def from_url() -> bytes:
        try:
            async with httpx.AsyncClient(timeout=5, follow_redirects=False) as http:
                answer = (await http.get(place)).raise_for_status()
        except httpx.HTTPError as error:
            raise OSError(f"{type(error).__name__} from {place}") from error
        if len(answer.content) > _MOST_BYTES:
            raise OSError(f"the answer of {place} is too large")
        return answer.content

    async def from_file() -> bytes:
        return await asyncio.to_thread(Path(place).read_bytes)

    return from_url if place.startswith(("https://", "http://")) else from_file


def _refused(why: str) -> Problem:
    return not_signed_in(f"The proxy in front of this platform has not signed this request in: {why}.")
