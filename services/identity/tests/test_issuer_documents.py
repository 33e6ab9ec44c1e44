"""Test the documents of a hostile issuer: invalid descriptions, keys and tokens, and forbidden addresses."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from identity_world import assert_problem
from openid_provider import OpenIdProvider, providing
from openid_world import MEMBERS, SignOn, configured, refusal, signing_on
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


@pytest.fixture
async def sign_on(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider
) -> AsyncIterator[SignOn]:
    async with signing_on(settings, caplog, configured(company, **MEMBERS)) as running:
        yield running


async def huge(request: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        while not await request.is_disconnected():
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
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider
) -> None:
    async with providing() as own:
        company.description = {"token_endpoint": f"{own.issuer}/token"}
        changes = {"platform_listeners": own.issuer.removeprefix("http://")}
        async with signing_on(settings, caplog, configured(company, **MEMBERS), **changes) as sign_on:
            assert refusal(await sign_on.sign_in(sign_on.browser())) == "unavailable"
        assert own.asked == []


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
