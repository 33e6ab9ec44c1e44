"""Test that an issuer can end the sessions of people who signed in with it, and that forged or used tokens end none."""

import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from identity_world import Browser
from joserfc import jwt
from joserfc.jwk import ECKey
from openid_provider import ALGORITHM, OpenIdProvider, User, new_key, signed_with_public_key, unsigned
from openid_world import MEMBERS, SignOn, back, configured, signing_on, visited
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.main import Settings

EVENT = "http://schemas.openid.net/event/backchannel-logout"
PATH = "/api/auth/issuers/company/back-channel-logout"


@pytest.fixture
async def sign_on(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider
) -> AsyncIterator[SignOn]:
    async with signing_on(settings, caplog, configured(company, **MEMBERS)) as running:
        yield running


def claims_of(company: OpenIdProvider, **changes: Any) -> dict[str, Any]:
    """Return the claims of a token that ends the sessions of the provider's user. `None` removes a claim."""
    now = int(time.time())
    honest = {
        "iss": company.issuer,
        "aud": company.client.client_id,
        "iat": now,
        "exp": now + 120,
        "jti": "first",
        "events": {EVENT: {}},
        "sub": company.user.sub,
    }
    return {name: value for name, value in {**honest, **changes}.items() if value is not None}


def signed(
    company: OpenIdProvider, claims: dict[str, Any], *, key: ECKey | None = None, typ: str = "logout+jwt"
) -> str:
    return jwt.encode({"alg": ALGORITHM, "kid": company.key.kid, "typ": typ}, claims, key or company.key)


async def ask(sign_on: SignOn, *tokens: str, path: str = PATH, **more: str) -> httpx.Response:
    """Send logout tokens as an issuer's server does: in a form, without a cookie. `more` has further fields of the
    form."""
    form = urlencode([*(("logout_token", token) for token in tokens), *more.items()])
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return await sign_on.browser().http.post(path, content=form, headers=kind)


async def entered(sign_on: SignOn) -> Browser:
    browser = sign_on.browser()
    assert (await sign_on.sign_in(browser)).headers["location"] == "/runs"
    assert await is_in(browser)
    return browser


async def is_in(browser: Browser) -> bool:
    return bool((await browser.session())["signed_in"])


@pytest.mark.shows("S-43")
async def test_issuer_ends_all_sessions_of_a_subject_that_began_with_it(
    sign_on: SignOn, company: OpenIdProvider
) -> None:
    owner = await sign_on.world.owner()
    first, second = await entered(sign_on), await entered(sign_on)
    company.user = User(sub="bob-at-the-provider", name="Bob", email="bob@company.example")
    bob = await entered(sign_on)
    company.user = User()
    answer = await ask(sign_on, signed(company, claims_of(company)))
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert [await is_in(each) for each in (first, second, bob, owner)] == [False, False, True, True]
    entries = (await owner.get("/api/audit-log")).json()["items"]
    [entry] = [each for each in entries if (each["action"], each["resource"]) == ("ended", "session")]
    assert (entry["person_name"], entry["after"]) == ("Ada", {"issuer": "company", "sessions": 2})


async def test_issuer_ends_the_one_session_that_it_names(sign_on: SignOn, company: OpenIdProvider) -> None:
    company.claims = {"sid": "on-the-laptop"}
    laptop = await entered(sign_on)
    company.claims = {"sid": "on-the-telephone"}
    telephone = await entered(sign_on)
    ended = await ask(sign_on, signed(company, claims_of(company, sub=None, sid="on-the-laptop")))
    assert ended.status_code == 200
    assert [await is_in(each) for each in (laptop, telephone)] == [False, True]
    # Both claims have to fit.
    strange = claims_of(company, sub="somebody-else", sid="on-the-telephone", jti="second")
    assert (await ask(sign_on, signed(company, strange))).status_code == 200
    assert await is_in(telephone)
    assert (await ask(sign_on, signed(company, claims_of(company, sid="on-the-telephone", jti="third")))).is_success
    assert not await is_in(telephone)


async def test_session_by_password_stays(sign_on: SignOn, company: OpenIdProvider) -> None:
    owner = await sign_on.world.owner()
    begun = await owner.post("/api/auth/issuers/company/link", {"next": "/settings/linked-accounts"})
    finished = await back(owner, await visited(begun.json()["location"]))
    assert finished.headers["location"] == "/settings/linked-accounts"
    by_issuer = await entered(sign_on)
    assert (await by_issuer.session())["person"]["email"] == "ada@example.org"
    assert (await ask(sign_on, signed(company, claims_of(company)))).status_code == 200
    assert [await is_in(each) for each in (owner, by_issuer)] == [True, False]


@pytest.mark.shows("S-43")
async def test_token_works_once(sign_on: SignOn, company: OpenIdProvider, engine: AsyncEngine) -> None:
    token = signed(company, claims_of(company))
    assert (await ask(sign_on, token)).status_code == 200
    browser = await entered(sign_on)
    replayed = await ask(sign_on, token)
    assert (replayed.status_code, replayed.json()["error"]) == (400, "invalid_request")
    assert await is_in(browser)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE logout_token SET expires_at = now() - interval '1 second'"))
    assert (await ask(sign_on, signed(company, claims_of(company, jti="second")))).status_code == 200
    async with engine.connect() as connection:
        left = (await connection.execute(text("SELECT count(*) FROM logout_token"))).scalar_one()
    assert left == 1, "old ids are forgotten"


@pytest.mark.shows("S-43")
async def test_token_with_a_wrong_claim_ends_nothing(sign_on: SignOn, company: OpenIdProvider) -> None:
    browser = await entered(sign_on)
    now = int(time.time())
    wrong: tuple[dict[str, Any], ...] = (
        {"iss": "https://elsewhere.example"},
        {"iss": None},
        {"aud": "another-client"},
        {"aud": None},
        {"aud": []},
        {"iat": None},
        {"iat": now - 3_600},
        {"iat": now + 3_600},
        {"iat": True},
        {"iat": str(now)},
        {"exp": now - 3_600},
        {"exp": "never"},
        {"jti": None},
        {"jti": ""},
        {"jti": "x" * 256},
        {"jti": 7},
        {"events": None},
        {"events": [EVENT]},
        {"events": {}},
        {"events": {EVENT: None}},
        {"events": {"http://schemas.openid.net/event/another": {}}},
        {"nonce": "n"},
        {"sub": None},
        {"sub": None, "sid": "\x00"},
        {"sub": {"ada": 1}},
    )
    for number, changes in enumerate(wrong):
        claims = claims_of(company, **{"jti": f"token-{number}", **changes})
        if "nonce" in changes:
            claims["nonce"] = None
        assert (await ask(sign_on, signed(company, claims))).status_code == 400, changes
    assert await is_in(browser)


@pytest.mark.shows("S-43")
async def test_token_that_the_issuer_did_not_sign_for_this_ends_nothing(
    sign_on: SignOn, company: OpenIdProvider
) -> None:
    browser = await entered(sign_on)
    claims = claims_of(company)
    strange = new_key(str(company.key.kid))
    hostile = (
        unsigned(claims),
        signed_with_public_key(company.key)(claims),
        signed(company, claims, key=strange),
        signed(company, claims, typ="at+jwt"),
        jwt.encode({"alg": ALGORITHM, "kid": "unknown"}, claims, strange),
        signed(company, claims)[:-4],
        "",
        "a.b.c",
        "[" * 20_000,
    )
    for token in hostile:
        assert (await ask(sign_on, token)).status_code == 400, token[:60]
    honest = signed(company, claims)
    assert (await ask(sign_on)).status_code == 400
    assert (await ask(sign_on, honest, honest)).status_code == 400, "two tokens"
    assert (await ask(sign_on, honest, path=PATH.replace("company", "elsewhere"))).status_code == 404
    assert (await ask(sign_on, "x" * 70_000)).status_code == 413
    assert await is_in(browser)
    assert (await ask(sign_on, honest, more="ignored")).status_code == 200
    assert not await is_in(browser)


async def test_unknown_keys_make_nobody_ask_the_issuer_without_end(sign_on: SignOn, company: OpenIdProvider) -> None:
    await entered(sign_on)
    strange = new_key("unknown")
    for number in range(20):
        token = jwt.encode({"alg": ALGORITHM, "kid": "unknown"}, claims_of(company, jti=str(number)), strange)
        assert (await ask(sign_on, token)).status_code == 400
    assert company.asked.count("/keys") == 1
