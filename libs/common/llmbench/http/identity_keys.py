"""Fetch the keys with which the identity service signs principals, and fetch them again when a token names an unknown
key.

The identity service may start after its callers, or restart with another key, so a caller survives a failed fetch.
"""

import asyncio
import json
import logging
import time
import urllib.request
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from jwt import PyJWTError
from jwt.algorithms import OKPAlgorithm

from llmbench.access import Principal
from llmbench.errors import Problem
from llmbench.http.authentication import Read, not_signed_in
from llmbench.http.principal_token import BadPrincipal, key_id_of, read

_log = logging.getLogger(__name__)

FETCH_AGAIN_S: Final = 5.0
"""The minimum number of seconds between two fetches because of unknown keys, so that forged tokens cannot cause a
flood."""
_ANSWER_S: Final = 5.0
_MOST_BYTES: Final = 64 * 1024

Fetch = Callable[[], Awaitable[bytes]]
"""Returns a JSON Web Key Set (RFC 7517). Raises `OSError`."""


class IdentityKeys:
    def __init__(self, fetch: Fetch, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._keys: dict[str, Ed25519PublicKey] = {}
        self._fetched_at: float | None = None
        self._fetching = asyncio.Lock()

    async def find(self, key_id: str) -> Ed25519PublicKey:
        """Return the key with this id. Raises `OSError` if no keys can be fetched and none are known, and
        `BadPrincipal` if no key has this id."""
        if key_id not in self._keys:
            async with self._fetching:
                if key_id not in self._keys and self._may_fetch():
                    await self._refresh()
        if key_id not in self._keys:
            raise BadPrincipal("it names a key that the identity service does not have")
        return self._keys[key_id]

    def _may_fetch(self) -> bool:
        return self._fetched_at is None or self._clock() - self._fetched_at >= FETCH_AGAIN_S

    async def _refresh(self) -> None:
        try:
            fetched = _keys_of(await self._fetch())
        except OSError as error:
            _log.warning("the keys of the identity service could not be fetched: %r", error)
            if not self._keys:
                raise
        else:
            self._keys = fetched
        self._fetched_at = self._clock()


def reader(keys: IdentityKeys, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Read:
    """Return a function that verifies the token of a request and returns its principal."""

    async def read_principal(token: str) -> Principal:
        try:
            return read(token, key=await keys.find(key_id_of(token)), at=now())
        except BadPrincipal as error:
            raise not_signed_in(f"The identity of this request cannot be used: {error}.") from None
        except OSError as error:
            raise Problem(
                503, "Sign-in unavailable", "The identity service does not answer; try again in a moment."
            ) from error

    return read_principal


def from_service(identity_url: str) -> Fetch:
    """Return a function that fetches the keys from the identity service."""
    # urllib, because an HTTP client library would cost each service memory for a request once a month. An address
    # inside the platform is reached through no proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    url = f"{identity_url.rstrip('/')}/jwks"

    def fetch() -> bytes:
        with opener.open(url, timeout=_ANSWER_S) as answer:
            body: bytes = answer.read(_MOST_BYTES)
            return body

    return lambda: asyncio.to_thread(fetch)


def _keys_of(body: bytes) -> dict[str, Ed25519PublicKey]:
    """Return the Ed25519 keys of a key set by their ids. Raises `OSError` if the body is no key set."""
    try:
        listed = {str(each["kid"]): OKPAlgorithm.from_jwk(each) for each in json.loads(body)["keys"]}
    except (ValueError, KeyError, TypeError, PyJWTError) as error:
        raise OSError(f"the identity service did not answer with keys: {error!r}") from error
    return {key_id: key for key_id, key in listed.items() if isinstance(key, Ed25519PublicKey)}
