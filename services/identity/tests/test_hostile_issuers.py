"""Test sign-in against issuers, and people in between, that do not keep to OpenID Connect: each check by its breach."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from identity_world import assert_problem
from openid_provider import OpenIdProvider, new_key, providing, signed_by, signed_with_public_key, unsigned
from openid_world import MEMBERS, SignOn, back, configured, refusal, signing_on, visited
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from identity.main import Settings
from identity.openid_connect.failures import Reason, Refused
from identity.openid_connect.fetching import Fetcher, Question
from identity.openid_connect.issuers import Issuer
from identity.openid_connect.provider import FRESH_S, Provider
from llmbench.http.listeners import Listeners

pytestmark = pytest.mark.shows("S-43")
DISCOVERY = "/.well-known/openid-configuration"
LONG_AGO, FAR_AHEAD = 1_000_000_000, 4_102_444_800


@pytest.fixture
async def company() -> AsyncIterator[OpenIdProvider]:
    async with providing() as provider:
        yield provider


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
    """An attacker cannot sign a victim in to the attacker's account, nor use an answer meant for the victim."""
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
    """A code that was stolen before its use is of no use: PKCE binds it to the attempt that asked for it."""
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
    """Mix-up: the browser asks one issuer, and gets the answer of another one (RFC 9207)."""
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
    """A description that names another issuer would lead codes of that issuer here."""
    partner.description = {"issuer": company.issuer}
    async with signing_on(settings, caplog, configured(partner, "partner")) as sign_on:
        assert_problem(await sign_on.browser().post("/api/auth/issuers/partner/sign-in", {}), 502)
    assert company.asked == []


async def test_tokens_of_one_issuer_do_not_work_at_another(
    sign_on: SignOn, company: OpenIdProvider, partner: OpenIdProvider
) -> None:
    """Two issuers may use the same subject for two people."""
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


async def huge(request: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 65_536

    return StreamingResponse(parts(), media_type="application/json")


async def deep(request: Request) -> Response:
    return Response(b'{"issuer":' + b"[" * 100_000, media_type="application/json")


async def around(request: Request) -> Response:
    return RedirectResponse(str(request.url), status_code=302)


async def list_of(request: Request) -> Response:
    return JSONResponse([])


async def page(request: Request) -> Response:
    return Response("<html>", media_type="text/html")


async def compressed(request: Request) -> Response:
    return Response(b"\x1f\x8b", headers={"Content-Encoding": "gzip"})


async def broken(request: Request) -> Response:
    return JSONResponse({"error": "server_error"}, status_code=500)


NO_DOCUMENTS = (huge, deep, around, list_of, page, compressed)


async def test_description_that_is_none_is_a_502_and_not_remembered(sign_on: SignOn, company: OpenIdProvider) -> None:
    for answer in (*NO_DOCUMENTS, broken):
        company.answer = {DISCOVERY: answer}
        assert_problem(await sign_on.browser().post("/api/auth/issuers/company/sign-in", {}), 502)
    assert company.asked == [DISCOVERY] * (len(NO_DOCUMENTS) + 1), "a redirect is not followed"
    company.answer = {}
    assert (await sign_on.sign_in(sign_on.browser())).headers["location"] == "/runs"


@pytest.mark.parametrize("path", ["/token", "/keys"])
async def test_tokens_and_keys_that_are_none_end_the_attempt(
    sign_on: SignOn, company: OpenIdProvider, path: str
) -> None:
    for answer in NO_DOCUMENTS:
        company.answer = {path: answer}
        assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer", answer
    assert company.asked.count(path) == len(NO_DOCUMENTS)


async def test_key_set_with_keys_that_are_none_is_read_for_the_others(sign_on: SignOn, company: OpenIdProvider) -> None:
    odd: list[Any] = [1, {}, {"kty": "oct", "k": "c2VjcmV0"}, {"kty": "EC", "crv": "P-256"}, {"kty": "XYZ"}, None]

    async def keys(request: Request) -> Response:
        return JSONResponse({"keys": [*odd, company.key.as_dict(private=False)]})

    company.answer = {"/keys": keys}
    assert (await sign_on.sign_in(sign_on.browser())).headers["location"] == "/runs"


async def test_key_set_without_a_public_key_ends_the_attempt(sign_on: SignOn, company: OpenIdProvider) -> None:
    sets: list[Any] = [[], [{"kty": "oct", "k": "c2VjcmV0"}], "none", None]

    async def next_set(request: Request) -> Response:
        return JSONResponse({"keys": sets.pop()})

    company.answer = {"/keys": next_set}
    while sets:
        assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer"


async def test_userinfo_of_another_subject_is_refused(sign_on: SignOn, company: OpenIdProvider) -> None:
    async def other(request: Request) -> Response:
        return JSONResponse({"sub": "somebody-else", "email": "eve@company.example", "email_verified": True})

    company.claims = {"email": None, "email_verified": None}
    company.answer = {"/userinfo": other}
    assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer"


UNUSABLE: list[dict[str, Any]] = [
    {"token_endpoint": "http://id.example.org/token"},
    {"token_endpoint": "file:///etc/passwd"},
    {"token_endpoint": "https://user:password@id.example.org/token"},
    {"token_endpoint": None},
    {"jwks_uri": "gopher://id.example.org/"},
    {"jwks_uri": ["https://id.example.org/keys"]},
    {"authorization_endpoint": "javascript:alert(1)"},
    {"end_session_endpoint": "http://evil.example/"},
    {"token_endpoint_auth_methods_supported": ["private_key_jwt"]},
]


async def test_endpoint_that_cannot_be_used_ends_the_sign_in(sign_on: SignOn, company: OpenIdProvider) -> None:
    for description in UNUSABLE:
        company.description = description
        assert_problem(await sign_on.browser().post("/api/auth/issuers/company/sign-in", {}), 502)


async def test_issuer_that_signs_with_shared_secrets_only_is_of_no_use(
    sign_on: SignOn, company: OpenIdProvider
) -> None:
    company.description = {"id_token_signing_alg_values_supported": ["HS256"]}
    assert refusal(await sign_on.sign_in(sign_on.browser())) == "issuer"


async def test_endpoint_at_an_address_of_the_platform_is_not_called(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider, partner: OpenIdProvider
) -> None:
    own = partner.issuer.removeprefix("http://")
    company.description = {"token_endpoint": f"{partner.issuer}/token"}
    changes = {"platform_listeners": own}
    async with signing_on(settings, caplog, configured(company, **MEMBERS), **changes) as sign_on:
        assert refusal(await sign_on.sign_in(sign_on.browser())) == "unavailable"
    assert partner.asked == []


@pytest.mark.parametrize("loopback_allowed", [True, False])
async def test_metadata_address_is_never_called(loopback_allowed: bool) -> None:
    fetcher = Fetcher(own=Listeners(), loopback_allowed=loopback_allowed)
    for url in ("http://169.254.169.254/latest/meta-data", "http://[::ffff:169.254.169.254]/"):
        with pytest.raises(Refused, match="link-local"):
            await fetcher.ask(Question(url))


async def test_issuer_elsewhere_does_not_lead_to_this_machine(company: OpenIdProvider) -> None:
    fetcher = Fetcher(own=Listeners(), loopback_allowed=False)
    for url in (f"{company.issuer}/keys", f"{company.issuer}/keys".replace("127.0.0.1", "localhost")):
        with pytest.raises(Refused, match="may not lead to this machine"):
            await fetcher.ask(Question(url))
    assert company.asked == []


async def test_issuer_that_never_answers_is_given_up(company: OpenIdProvider) -> None:
    never = asyncio.Event()

    async def slow(request: Request) -> Response:
        await never.wait()
        return JSONResponse({})

    company.answer = {DISCOVERY: slow}
    fetcher = Fetcher(own=Listeners(), loopback_allowed=True, limit_s=0.05)
    with pytest.raises(Refused) as refused:
        await fetcher.ask(Question(f"{company.issuer}{DISCOVERY}"))
    assert refused.value.reason is Reason.UNAVAILABLE
    never.set()


async def test_requests_that_wait_for_a_slow_issuer_share_its_answer(company: OpenIdProvider) -> None:
    arrived, going_on = asyncio.Event(), asyncio.Event()

    async def slow(request: Request) -> Response:
        arrived.set()
        await going_on.wait()
        return JSONResponse(company.described())

    company.answer = {DISCOVERY: slow}
    provider = Provider(Issuer.model_validate(configured(company)), own=Listeners())
    waiting = [asyncio.create_task(provider.endpoints()) for _ in range(5)]
    await arrived.wait()
    waiting[0].cancel()
    going_on.set()
    answers = await asyncio.gather(*waiting[1:])
    assert {answer.token for answer in answers} == {f"{company.issuer}/token"}
    assert company.asked == [DISCOVERY]


async def test_description_and_keys_are_trusted_for_an_hour(company: OpenIdProvider) -> None:
    clock = iter([0.0, FRESH_S, FRESH_S + 1, FRESH_S + 1])
    provider = Provider(Issuer.model_validate(configured(company)), own=Listeners(), monotonic=lambda: next(clock))
    for asked in (1, 1, 2):
        await provider.endpoints()
        assert len(company.asked) == asked
