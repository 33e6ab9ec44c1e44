"""Test sign-in with issuers and attackers who violate OpenID Connect: one violation for each check."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from identity_world import assert_problem
from openid_provider import OpenIdProvider, new_key, providing, signed_by, signed_with_public_key, unsigned
from openid_world import MEMBERS, SignOn, back, configured, refusal, signing_on, visited
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.main import Settings

pytestmark = pytest.mark.shows("S-43")
DISCOVERY = "/.well-known/openid-configuration"
LONG_AGO, FAR_AHEAD = 1_000_000_000, 4_102_444_800


@pytest.fixture
async def partner() -> AsyncIterator[OpenIdProvider]:
    async with providing() as provider:
        yield provider


@pytest.fixture
async def sign_on(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider, partner: OpenIdProvider
) -> AsyncIterator[SignOn]:
    issuers = (configured(company, **MEMBERS), configured(partner, "partner", **MEMBERS))
    async with signing_on(settings, caplog, *issuers) as running:
        yield running


async def test_state_works_once(sign_on: SignOn) -> None:
    browser = sign_on.browser()
    location = await visited(await sign_on.begin(browser))
    cookie = browser.http.cookies["llmbench-sign-in"]
    assert (await back(browser, location)).headers["location"] == "/runs"
    again = sign_on.browser()
    again.http.cookies.set("llmbench-sign-in", cookie)
    assert refusal(await back(again, location)) == "attempt"


async def test_other_state_is_refused(sign_on: SignOn) -> None:
    for state in ("", "made-up", "\x00", "é" * 50):
        browser = sign_on.browser()
        location = await visited(await sign_on.begin(browser))
        assert refusal(await back(browser, location, state=state)) == "attempt"


async def test_answer_in_another_browser_is_refused_and_used_up(sign_on: SignOn, company: OpenIdProvider) -> None:
    """A browser that did not begin the sign-in brings the issuer's answer. It is refused, and from then on also in the
    right browser. So attackers cannot use a victim's answer, nor sign a victim in to their own account."""
    victim, attacker = sign_on.browser(), sign_on.browser()
    location = await visited(await sign_on.begin(victim))
    await sign_on.begin(attacker)
    assert refusal(await back(attacker, location)) == "attempt"
    assert refusal(await back(victim, location)) == "attempt"
    assert "/token" not in company.asked


async def test_answer_without_the_browsers_cookie_is_refused(sign_on: SignOn) -> None:
    location = await visited(await sign_on.begin(sign_on.browser()))
    assert refusal(await back(sign_on.browser(), location)) == "attempt"


async def test_attempt_expires(sign_on: SignOn, engine: AsyncEngine) -> None:
    browser = sign_on.browser()
    location = await visited(await sign_on.begin(browser))
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE sign_in_attempt SET expires_at = now() - interval '1 second'"))
    assert refusal(await back(browser, location)) == "attempt"


async def test_database_has_no_secret_of_an_attempt(sign_on: SignOn, engine: AsyncEngine) -> None:
    browser = sign_on.browser()
    location = await visited(await sign_on.begin(browser))
    async with engine.connect() as connection:
        row = (await connection.execute(text("SELECT * FROM sign_in_attempt"))).one()
    stored = " ".join(map(str, row))
    assert browser.http.cookies["llmbench-sign-in"] not in stored
    assert location.partition("state=")[2].partition("&")[0] not in stored


async def test_code_that_was_used_is_refused_by_the_issuer_and_here(sign_on: SignOn, company: OpenIdProvider) -> None:
    first, second = sign_on.browser(), sign_on.browser()
    location = await visited(await sign_on.begin(first))
    code = location.partition("code=")[2].partition("&")[0]
    await back(first, location)
    assert refusal(await back(second, await visited(await sign_on.begin(second)), code=code)) == "issuer"


async def test_code_of_another_attempt_fails_by_its_verifier(sign_on: SignOn, company: OpenIdProvider) -> None:
    """A stolen code is useless, even before its first use: PKCE binds it to the attempt that requested it."""
    victim, attacker = sign_on.browser(), sign_on.browser()
    stolen = (await visited(await sign_on.begin(victim))).partition("code=")[2].partition("&")[0]
    answer = await back(attacker, await visited(await sign_on.begin(attacker)), code=stolen)
    assert refusal(answer) == "issuer"


async def test_token_with_the_nonce_of_another_attempt_is_refused(sign_on: SignOn, company: OpenIdProvider) -> None:
    for nonce in ("another", "", None):
        company.claims = {"nonce": nonce}
        assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer"


WRONG_CLAIMS: list[dict[str, Any]] = [
    {"iss": "https://other.example"},
    {"iss": None},
    {"aud": "another-client"},
    {"aud": ["another-client"]},
    {"aud": None},
    {"aud": ["llmbench", "another-client"]},
    {"aud": ["llmbench", "another-client"], "azp": "another-client"},
    {"aud": "llmbench", "azp": "another-client"},
    {"exp": LONG_AGO},
    {"exp": None},
    {"exp": "tomorrow"},
    {"exp": float("nan")},
    {"exp": True},
    {"iat": FAR_AHEAD, "exp": FAR_AHEAD + 300},
    {"iat": None},
    {"nbf": FAR_AHEAD},
    {"sub": None},
    {"sub": ""},
    {"sub": 7},
    {"sub": "x" * 300},
    {"sub": "a\x00b"},
    {"at_hash": "of another access token"},
    {"nonce_supported": False, "nonce": "another"},
]


async def test_token_with_a_wrong_claim_is_refused(sign_on: SignOn, company: OpenIdProvider) -> None:
    for claims in WRONG_CLAIMS:
        company.claims = claims
        assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer", claims


async def test_audience_list_with_us_as_the_party_is_accepted(sign_on: SignOn, company: OpenIdProvider) -> None:
    company.claims = {"aud": ["llmbench", "another-client"], "azp": "llmbench"}
    assert (await sign_on.sign_in(sign_on.browser())).headers["location"] == "/runs"


async def test_signature_that_anybody_can_make_is_refused(sign_on: SignOn, company: OpenIdProvider) -> None:
    own = new_key("first")
    forgeries = (
        unsigned,
        signed_with_public_key(company.key),
        signed_by(own),
        signed_by(own, kid="unknown"),
        signed_by(own, jwk=own.as_dict(private=False)),
        signed_by(own, jku=f"{company.issuer}/other-keys"),
        lambda claims: "no.token",
        lambda claims: "",
    )
    for forgery in forgeries:
        company.sign = forgery
        assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer"
    assert "/other-keys" not in company.asked


async def test_issuer_that_announces_weak_algorithms_gets_none_of_them(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider
) -> None:
    company.description = {"id_token_signing_alg_values_supported": ["none", "HS256", "ES256"]}
    async with signing_on(settings, caplog, configured(company, **MEMBERS)) as sign_on:
        for forgery in (unsigned, signed_with_public_key(company.key)):
            company.sign = forgery
            assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer"


async def test_answer_of_another_issuer_is_refused(
    sign_on: SignOn, company: OpenIdProvider, partner: OpenIdProvider
) -> None:
    """The browser asks one issuer, and returns with the answer of another one (the mix-up attack of RFC 9207). The
    platform refuses this answer."""
    for changed in ({"iss": partner.issuer}, {"iss": ""}, {"iss": company.issuer + "/"}):
        browser = sign_on.browser()
        assert refusal(await back(browser, await visited(await sign_on.begin(browser)), **changed)) == "attempt"
    browser = sign_on.browser()
    location = await visited(await sign_on.begin(browser, "company"))
    assert refusal(await back(browser, location.replace("/company/", "/partner/"))) == "attempt"
    assert "/token" not in (*company.asked, *partner.asked), "no code went to anybody"


async def test_issuer_that_poses_as_another_is_refused(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider, partner: OpenIdProvider
) -> None:
    """A sign-in fails if the description of one issuer names another issuer. The platform then sends no request to the
    named issuer."""
    partner.description = {"issuer": company.issuer}
    async with signing_on(settings, caplog, configured(partner, "partner")) as sign_on:
        assert_problem(await sign_on.browser().post("/api/auth/issuers/partner/sign-in", {}), 502)
    assert company.asked == []


async def test_tokens_of_one_issuer_do_not_work_at_another(
    sign_on: SignOn, company: OpenIdProvider, partner: OpenIdProvider
) -> None:
    """Two issuers may use the same subject for two people. The second person does not get into the first person's
    account. A token that names another issuer is refused."""
    first, second = sign_on.browser(), sign_on.browser()
    await sign_on.sign_in(first, "company")
    assert refusal(await sign_on.sign_in(second, "partner")) == "account-exists"
    partner.claims = {"iss": company.issuer}
    assert refusal(await sign_on.sign_in(second, "partner")) == "issuer"


async def test_parameter_that_comes_twice_is_refused(sign_on: SignOn) -> None:
    for name in ("state", "code", "iss", "error"):
        browser = sign_on.browser()
        location = await visited(await sign_on.begin(browser))
        path = location.partition("http://127.0.0.1:8400")[2]
        answer = await browser.http.get(f"{path}&{name}=x&{name}=y")
        assert refusal(answer) == "attempt"


async def test_refusal_of_the_issuer_is_told(sign_on: SignOn) -> None:
    browser = sign_on.browser()
    location = await visited(await sign_on.begin(browser, next="/tasks"))
    answer = await back(browser, location, code="", error="access_denied", error_description="<script>")
    assert refusal(answer) == "denied"
    assert answer.headers["location"] == "/sign-in?refused=denied&next=%2Ftasks"


async def test_parameters_of_the_issuers_own_are_no_error(sign_on: SignOn) -> None:
    browser = sign_on.browser()
    location = await visited(await sign_on.begin(browser))
    answer = await back(browser, location, session_state="x", scope="openid", authuser="0")
    assert answer.headers["location"] == "/runs"
