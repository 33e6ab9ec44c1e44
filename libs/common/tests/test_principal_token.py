"""Test that a token is accepted only if the identity service has signed it, and only during its time of validity."""

import base64
import hmac
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import OKPAlgorithm

from llmbench.access import Principal, Role
from llmbench.errors import Problem
from llmbench.http.identity_keys import FETCH_AGAIN_S, IdentityKeys, reader
from llmbench.http.principal_token import BadPrincipal, key_id_of, read, write
from llmbench.ids import new_id

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
KEY = Ed25519PrivateKey.generate()
ADA = Principal(new_id(), new_id(), Role.MEMBER, new_id(), frozenset({"runs:read"}))
CLAIMS: dict[str, Any] = {
    "iss": "llmbench-identity",
    "aud": "llmbench",
    "sub": str(ADA.person_id),
    "org": str(ADA.org_id),
    "role": "owner",
    "cred": str(ADA.credential_id),
    "iat": int(NOW.timestamp()),
    "exp": int(NOW.timestamp()) + 60,
}


def signed(**changes: Any) -> str:
    claims = {name: value for name, value in (CLAIMS | changes).items() if value is not ...}
    return jwt.encode(claims, KEY, algorithm="EdDSA", headers={"kid": "one"})


@pytest.mark.parametrize("principal", [ADA, Principal(new_id(), new_id(), Role.OWNER, new_id())])
def test_token_names_its_principal(principal: Principal) -> None:
    token = write(principal, key_id="one", key=KEY, at=NOW)
    assert key_id_of(token) == "one"
    assert read(token, key=KEY.public_key(), at=NOW + timedelta(seconds=59)) == principal


@pytest.mark.parametrize("off_s", [-4, 64])
def test_small_difference_of_clocks_is_allowed(off_s: int) -> None:
    assert read(signed(), key=KEY.public_key(), at=NOW + timedelta(seconds=off_s)).person_id == ADA.person_id


@pytest.mark.shows("S-30")
@pytest.mark.parametrize("off_s", [-6, 66])
def test_token_outside_its_minute_is_refused(off_s: int) -> None:
    with pytest.raises(BadPrincipal):
        read(signed(), key=KEY.public_key(), at=NOW + timedelta(seconds=off_s))


@pytest.mark.shows("S-30")
@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "somewhere"},
        {"aud": "another"},
        {"sub": "ada"},
        {"role": "root"},
        {"scopes": 7},
        {"exp": "soon"},
        *({name: ...} for name in CLAIMS),
    ],
    ids=str,
)
def test_token_with_other_claims_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadPrincipal):
        read(signed(**changes), key=KEY.public_key(), at=NOW)


@pytest.mark.shows("S-30")
def test_token_of_another_key_is_refused() -> None:
    forged = jwt.encode(CLAIMS, Ed25519PrivateKey.generate(), algorithm="EdDSA", headers={"kid": "one"})
    with pytest.raises(BadPrincipal):
        read(forged, key=KEY.public_key(), at=NOW)


def made_of(header: dict[str, str], signature: bytes = b"") -> str:
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, CLAIMS)]
    return b".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


@pytest.mark.shows("S-30")
def test_unsigned_token_is_refused() -> None:
    for name in ("none", "None", "NONE", ""):
        unsigned = made_of({"alg": name, "kid": "one"})
        with pytest.raises(BadPrincipal):
            key_id_of(unsigned)
        with pytest.raises(BadPrincipal):
            read(unsigned, key=KEY.public_key(), at=NOW)


@pytest.mark.shows("S-30")
def test_token_signed_with_the_public_key_as_a_password_is_refused() -> None:
    """The refused token is signed with HMAC, with the public key as its secret. A verifier that trusts the algorithm in
    the token's header would accept it."""
    begin = made_of({"alg": "HS256", "kid": "one"}).rpartition(".")[0]
    mac = hmac.digest(KEY.public_key().public_bytes_raw(), begin.encode(), "sha256")
    confused = f"{begin}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"
    with pytest.raises(BadPrincipal):
        key_id_of(confused)
    with pytest.raises(BadPrincipal):
        read(confused, key=KEY.public_key(), at=NOW)


@pytest.mark.parametrize("text", ["", "x", "a.b.c", "\x00", "..", "é.é.é", made_of({"alg": "EdDSA"})])
def test_text_that_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(BadPrincipal):
        key_id_of(text)


class Published:
    """The key set of an identity service, which a test can make unreachable."""

    def __init__(self) -> None:
        self.keys: dict[str, Ed25519PrivateKey] = {}
        self.away = False
        self.fetched = 0

    async def __call__(self) -> bytes:
        self.fetched += 1
        if self.away:
            raise ConnectionRefusedError
        jwks = [{**json.loads(OKPAlgorithm.to_jwk(key.public_key())), "kid": name} for name, key in self.keys.items()]
        return json.dumps({"keys": jwks}).encode()


async def test_keys_are_fetched_once_and_again_for_an_unknown_one() -> None:
    published, seconds = Published(), [0.0]
    keys = IdentityKeys(published, clock=lambda: seconds[0])
    published.keys["one"] = KEY
    assert await keys.find("one") == KEY.public_key()
    assert await keys.find("one") == KEY.public_key()
    assert published.fetched == 1
    for _ in range(3):
        with pytest.raises(BadPrincipal):
            await keys.find("two")
    assert published.fetched == 1, "forged ids cause no flood of fetches"
    seconds[0] += FETCH_AGAIN_S
    published.keys["two"] = Ed25519PrivateKey.generate()
    assert await keys.find("two") == published.keys["two"].public_key()
    published.away = True
    seconds[0] += FETCH_AGAIN_S
    with pytest.raises(BadPrincipal):
        await keys.find("three")
    assert await keys.find("one") == KEY.public_key(), "known keys stay while the service is away"


async def test_request_waits_for_an_identity_service_that_is_away() -> None:
    published = Published()
    published.away = True
    read_principal = reader(IdentityKeys(published), now=lambda: NOW)
    with pytest.raises(Problem) as unavailable:
        await read_principal(signed())
    assert unavailable.value.status == 503
    published.away = False
    published.keys["one"] = KEY
    assert (await read_principal(signed())).person_id == ADA.person_id
    with pytest.raises(Problem) as refused:
        await read_principal("x")
    assert refused.value.status == 401


async def test_answer_that_is_no_key_set_counts_as_no_answer() -> None:
    for body in (b"", b"[]", b"{}", b'{"keys": [{"kty": "RSA"}]}', b'{"keys": [{"kid": "one"}]}'):

        async def fetch(body: bytes = body) -> bytes:
            return body

        with pytest.raises(OSError, match="did not answer with keys"):
            await IdentityKeys(fetch).find("one")
