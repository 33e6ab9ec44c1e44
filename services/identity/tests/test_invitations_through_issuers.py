"""Test how people accept invitations with an account at an issuer."""

from collections.abc import AsyncIterator

import pytest
from identity_world import Browser, assert_problem
from openid_provider import OpenIdProvider, User
from openid_world import MEMBERS, SignOn, back, configured, refusal, signing_on, visited
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.main import Settings


@pytest.fixture
async def sign_on(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider
) -> AsyncIterator[SignOn]:
    """Yield a platform with one issuer, a company. Everybody of the company becomes a viewer, and the members of its
    group `leads` become admins."""
    async with signing_on(settings, caplog, configured(company, **MEMBERS, roles={"leads": "admin"})) as running:
        yield running


async def invited(sign_on: SignOn, inviter: Browser, role: str = "member") -> str:
    answer = await inviter.post("/api/invitations", {"role": role})
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["token"]
    return token


async def test_invitation_is_accepted_with_an_account_that_no_rule_admits(
    sign_on: SignOn, company: OpenIdProvider
) -> None:
    owner = await sign_on.world.owner()
    company.user = User(email="eve@elsewhere.example")
    token = await invited(sign_on, owner)
    browser = sign_on.browser()
    answer = await sign_on.sign_in(browser, invitation=token)
    assert answer.headers["location"] == "/runs"
    session = await browser.session()
    assert (session["role"], session["person"]["email"]) == ("member", "eve@elsewhere.example")
    # The role was given by hand, so groups at the issuer do not change it.
    company.user = User(email="eve@elsewhere.example", groups=("leads",))
    await sign_on.sign_in(browser)
    assert (await browser.session())["role"] == "member"
    entries = (await owner.get("/api/audit-log")).json()["items"]
    joined = next(entry for entry in entries if entry["action"] == "joined" and entry["after"].get("issuer"))
    assert joined["after"] == {"email": "eve@elsewhere.example", "role": "member", "issuer": "company"}


async def test_invitation_adds_a_known_person_to_another_organisation(sign_on: SignOn) -> None:
    owner = await sign_on.world.owner()
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    made = await owner.post("/api/organisations", {"name": "Second team", "slug": "second-team"})
    assert made.status_code == 201, made.text
    await owner.post("/api/auth/organisation", {"id": made.json()["id"]})
    token = await invited(sign_on, owner, "admin")
    await sign_on.sign_in(browser, invitation=token)
    session = await browser.session()
    assert (session["organisation"]["slug"], session["role"]) == ("second-team", "admin")
    assert len(session["organisations"]) == 2


async def test_invitation_is_used_once_and_never_by_a_member(sign_on: SignOn, company: OpenIdProvider) -> None:
    owner = await sign_on.world.owner()
    token = await invited(sign_on, owner)
    company.user = User(email="eve@elsewhere.example")
    late = await visited(await sign_on.begin(late_browser := sign_on.browser(), invitation=token))
    member = sign_on.browser()
    await sign_on.sign_in(member, invitation=token)
    assert refusal(await back(late_browser, late)) == "invitation"
    used = await sign_on.browser().post("/api/auth/issuers/company/sign-in", {"invitation": token})
    assert_problem(used, 410)
    unused = await invited(sign_on, owner, "admin")
    assert refusal(await sign_on.sign_in(sign_on.browser(), invitation=unused)) == "member"
    assert (await member.session())["role"] == "member"
    company.user = User(sub="bob", email="bob@elsewhere.example")
    await sign_on.sign_in(third := sign_on.browser(), invitation=unused)
    assert (await third.session())["role"] == "admin", "a refused attempt left the invitation unused"


async def test_invitation_links_no_address_and_needs_a_confirmed_one(sign_on: SignOn, company: OpenIdProvider) -> None:
    owner = await sign_on.world.owner()
    token = await invited(sign_on, owner)
    company.user = User(email="ada@example.org")
    assert refusal(await sign_on.sign_in(sign_on.browser(), invitation=token)) == "account-exists"
    company.user = User(email="eve@elsewhere.example", email_verified=False)
    assert refusal(await sign_on.sign_in(sign_on.browser(), invitation=token)) == "email"


async def test_organisation_without_a_free_place_takes_nobody_through_an_issuer(
    sign_on: SignOn, engine: AsyncEngine
) -> None:
    owner = await sign_on.world.owner()
    token = await invited(sign_on, owner)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE plan SET members = 1 WHERE name = 'ENTERPRISE'"))
    assert refusal(await sign_on.sign_in(sign_on.browser(), invitation=token)) == "full"
    assert refusal(await sign_on.sign_in(sign_on.browser())) == "full"
