"""Test LLMBENCH_AUTH=proxy: the people that a signed token lets in, and every way in which a token can be wrong."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from identity_world import PASSWORD, Browser, Clock, World, assert_problem, running
from jwt.algorithms import OKPAlgorithm
from pydantic import ValidationError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import Request

from identity.proxy import FETCH_AGAIN_S, Proxy, ProxyRules, keys_of
from identity.settings import Settings
from llmbench.access import Role
from llmbench.errors import Problem

HEADER = "X-Forwarded-Identity"
ISSUER, AUDIENCE = "https://proxy.example", "llmbench"
KEY = Ed25519PrivateKey.generate()
FUTURE_S, PAST_S = 4_102_444_800, 1_577_836_800
"""The years 2100 and 2020, in seconds since 1970."""
Sign = Callable[..., str]


def key_set(key: Ed25519PrivateKey, key_id: str = "one") -> bytes:
    jwk = json.loads(OKPAlgorithm.to_jwk(key.public_key()))
    return json.dumps({"keys": [{**jwk, "kid": key_id, "alg": "EdDSA", "use": "sig"}]}).encode()


def token(
    email: str = "ada@example.org", *, key: Any = KEY, algorithm: str = "EdDSA", kid: str = "one", **more: Any
) -> str:
    """Return a token as the proxy signs it. `more` replaces claims; `None` leaves one out."""
    claims = {"iss": ISSUER, "aud": AUDIENCE, "exp": FUTURE_S, "email": email, "name": email.split("@")[0]}
    given = {name: value for name, value in {**claims, **more}.items() if value is not None}
    return jwt.encode(given, key, algorithm=algorithm, headers={"kid": kid})


@pytest.fixture
def behind(settings: Settings, tmp_path: Path) -> Settings:
    """Return settings of a platform that accepts tokens of a proxy. The proxy's public keys are in a file."""
    (tmp_path / "keys.json").write_bytes(key_set(KEY))
    given = {
        "auth": "proxy",
        "proxy_keys": str(tmp_path / "keys.json"),
        "proxy_issuer": ISSUER,
        "proxy_audience": AUDIENCE,
        "proxy_owners": "Ada@Example.org",
        "proxy_join_role": "viewer",
    }
    return Settings.model_validate({**settings.model_dump(), **given})


@pytest.fixture
async def proxied(behind: Settings) -> AsyncIterator[World]:
    async with running(behind, Clock()) as transport:
        yield World(transport, "")


def behind_proxy(world: World, signed: str) -> Browser:
    """Return a browser to whose requests the proxy adds a token."""
    browser = world.browser()
    browser.http.headers[HEADER] = signed
    return browser


async def enter(world: World, email: str, **more: Any) -> Browser:
    browser = behind_proxy(world, token(email, **more))
    session = await browser.session()
    assert session["signed_in"], session
    browser.csrf = session["csrf_token"]
    return browser


async def test_named_owner_and_others_get_their_roles_at_the_first_sign_in(proxied: World) -> None:
    ada = await enter(proxied, "ada@example.org")
    session = await ada.session()
    assert (session["role"], session["sign_in"], session["person"]["name"]) == ("owner", "proxy", "ada")
    bob = await enter(proxied, "BOB@example.org", name="Bob")
    assert (await bob.session())["role"] == "viewer"
    assert (await bob.get("/api/members")).status_code == 200
    assert_problem(await bob.post("/api/invitations", {"role": "viewer"}), 403)
    assert (await ada.post("/api/invitations", {"role": "viewer"})).status_code == 201
    listed = (await ada.get("/api/members")).json()["items"]
    assert {each["email"] for each in listed} == {"ada@example.org", "bob@example.org"}


async def test_second_visit_opens_no_second_session(proxied: World, engine: AsyncEngine) -> None:
    ada = await enter(proxied, "ada@example.org")
    await ada.session()
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM web_session"))).scalar_one() == 1


async def test_unknown_person_is_refused_without_a_role_to_join_with(behind: Settings) -> None:
    closed = behind.model_copy(update={"proxy_join_role": None})
    async with running(closed, Clock()) as transport:
        world = World(transport, "")
        session = await behind_proxy(world, token("bob@example.org")).session()
        assert (session["signed_in"], session["sign_in"]) == (False, "proxy")
        assert "no account" in session["refused"]
        await enter(world, "ada@example.org")


async def test_removed_member_stays_outside(proxied: World) -> None:
    ada = await enter(proxied, "ada@example.org")
    bob = await enter(proxied, "bob@example.org")
    id_ = (await bob.session())["person"]["id"]
    assert (await ada.request("DELETE", f"/api/members/{id_}")).status_code == 204
    again = await behind_proxy(proxied, token("bob@example.org")).session()
    assert (again["organisation"], again["allowed"]) == (None, [])


@pytest.mark.shows("S-32")
async def test_session_counts_only_beside_a_token_of_its_person(proxied: World) -> None:
    ada = await enter(proxied, "ada@example.org")
    del ada.http.headers[HEADER]
    assert_problem(await ada.get("/api/members"), 401)
    ada.http.headers[HEADER] = token("bob@example.org")
    assert_problem(await ada.get("/api/members"), 401)
    assert_problem(await ada.get("/api/auth/sessions"), 401)
    # Another person now uses the browser, and gets a separate session.
    session = await ada.session()
    assert session["person"]["email"] == "bob@example.org"


async def test_change_needs_the_csrf_token_as_well(proxied: World) -> None:
    ada = await enter(proxied, "ada@example.org")
    ada.csrf = None
    assert_problem(await ada.post("/api/invitations", {"role": "viewer"}), 403)


OTHER = Ed25519PrivateKey.generate()
PUBLIC = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
WRONG = {
    "no token": "",
    "no token at all": "x",
    "signature of another key": token(key=OTHER),
    "unknown key id": token(kid="two"),
    "expired": token(exp=PAST_S),
    "not valid yet": token(nbf=FUTURE_S),
    "without an end": token(exp=None),
    "other issuer": token(iss="https://evil.example"),
    "without an issuer": token(iss=None),
    "other audience": token(aud="another-service"),
    "without an audience": token(aud=None),
    "shared secret": token(key="x" * 64, algorithm="HS256"),
    "no signature": token(key=None, algorithm="none"),
    "elliptic curve instead": token(key=ec.generate_private_key(ec.SECP256R1()), algorithm="ES256"),
    "RSA instead": token(key=rsa.generate_private_key(65537, 2048), algorithm="RS256"),
    "address not verified": token(email_verified=False),
    "without an address": token(email=""),
    "address that looks like another": token(email="\u0430da@example.org"),
    "too long": token(name="x" * 20_000),
}


@pytest.mark.shows("S-32")
@pytest.mark.parametrize("wrong", WRONG)
async def test_wrong_token_signs_nobody_in(proxied: World, wrong: str) -> None:
    session = await behind_proxy(proxied, WRONG[wrong]).session()
    assert session["signed_in"] is False
    assert session["refused"]
    # A session does not help, either.
    ada = await enter(proxied, "ada@example.org")
    ada.http.headers[HEADER] = WRONG[wrong]
    assert_problem(await ada.get("/api/members"), 401)


async def test_public_key_is_no_shared_secret(proxied: World) -> None:
    """A token is refused if it is signed by HMAC with the public key as the secret, which an attacker can do."""
    header = {"alg": "HS256", "typ": "JWT", "kid": "one"}
    claims = {"iss": ISSUER, "aud": AUDIENCE, "exp": FUTURE_S, "email": "ada@example.org"}
    encode = jwt.utils.base64url_encode
    signed = b".".join(encode(json.dumps(part).encode()) for part in (header, claims))
    digest = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(signed, PUBLIC)
    forged = b".".join((signed, encode(digest))).decode()
    assert (await behind_proxy(proxied, forged).session())["signed_in"] is False


async def test_two_tokens_are_refused(proxied: World) -> None:
    headers = [(HEADER, token()), (HEADER, token("bob@example.org"))]
    async with httpx.AsyncClient(transport=proxied.transport, base_url="http://127.0.0.1") as http:
        assert (await http.get("/api/auth/session", headers=headers)).json()["signed_in"] is False


async def test_passwords_are_of_no_use_behind_a_proxy(proxied: World) -> None:
    browser = behind_proxy(proxied, token())
    body: dict[str, Any] = {"email": "ada@example.org", "password": PASSWORD}
    assert_problem(await browser.post("/api/auth/sign-in", body), 409)
    joining = {**body, "token": "x", "name": "Ada"}
    assert_problem(await browser.post("/api/auth/invitations/accept", joining), 409)
    assert_problem(await browser.post("/api/auth/first-owner", {**joining, "organisation": "Mine"}), 409)
    assert_problem(await browser.post("/api/auth/password-reset", {"token": "x", "password": PASSWORD}), 409)


async def test_api_key_needs_no_proxy(proxied: World) -> None:
    ada = await enter(proxied, "ada@example.org")
    key = (await ada.post("/api/api-keys", {"name": "ci"})).json()["key"]
    assert (await proxied.browser(key=key).get("/api/members")).status_code == 200


def rules(**more: Any) -> ProxyRules:
    given: dict[str, Any] = {"header": HEADER, "issuer": ISSUER, "audience": AUDIENCE, "algorithms": ("EdDSA",)}
    return ProxyRules(**given | more)


def asking(signed: str) -> Any:
    return Request(
        {"type": "http", "method": "GET", "path": "/", "headers": [(HEADER.lower().encode(), signed.encode())]}
    )


async def test_new_key_is_fetched_and_forged_ids_cause_no_flood() -> None:
    fetched, ticks = [], [0.0]
    keys = [key_set(KEY), key_set(OTHER, "two")]

    async def fetch() -> bytes:
        fetched.append(1)
        return keys[min(len(fetched), len(keys)) - 1]

    proxy = Proxy(rules(), fetch, clock=lambda: ticks[0])
    assert (await proxy.read(asking(token()))).email == "ada@example.org"
    for _ in range(3):
        with pytest.raises(Problem) as refused:
            await proxy.read(asking(token(kid="two", key=OTHER)))
        assert refused.value.status == 401
    assert len(fetched) == 1
    ticks[0] += FETCH_AGAIN_S
    assert (await proxy.read(asking(token(kid="two", key=OTHER)))).email == "ada@example.org"
    assert len(fetched) == 2


async def test_keys_that_cannot_be_read_are_no_reason_to_believe_anybody() -> None:
    async def fetch() -> bytes:
        raise OSError("away")

    with pytest.raises(Problem) as refused:
        await Proxy(rules(), fetch).read(asking(token()))
    assert refused.value.status == 503


async def test_key_file_may_be_a_pem() -> None:
    assert list(keys_of(PUBLIC)) == [""]

    async def fetch() -> bytes:
        return PUBLIC

    assert (await Proxy(rules(), fetch).read(asking(f"Bearer {token()}"))).name == "ada"


def test_shared_secret_in_a_key_set_is_left_out() -> None:
    secret = {"kty": "oct", "k": "c2VjcmV0", "kid": "s", "alg": "HS256"}
    assert keys_of(json.dumps({"keys": [secret, *json.loads(key_set(KEY))["keys"]]}).encode()).keys() == {"one"}


@pytest.mark.parametrize("name", ["proxy_keys", "proxy_issuer", "proxy_audience"])
def test_service_does_not_start_without_what_tokens_are_checked_with(behind: Settings, name: str) -> None:
    with pytest.raises(ValidationError, match=name.upper()):
        Settings.model_validate({**behind.model_dump(), name: ""})


@pytest.mark.parametrize(
    ("name", "value"), [("proxy_algorithms", "HS256"), ("proxy_algorithms", "none"), ("proxy_join_role", Role.OWNER)]
)
def test_dangerous_setting_is_refused(behind: Settings, name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({**behind.model_dump(), name: value})
