"""Test sign-in through honest issuers: who becomes a member, roles by groups, linking, and signing out."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from identity_world import PASSWORD, Browser, World, assert_problem
from openid_provider import ALGORITHM, OpenIdProvider, User, new_key, providing
from openid_world import MEMBERS, SESSION, SignOn, back, configured, refusal, signing_on, visited
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.main import Settings
from identity.openid_connect.local_path import local_path


@pytest.fixture
async def sign_on(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider
) -> AsyncIterator[SignOn]:
    """Yield a platform with one issuer, a company. Everybody of the company becomes a viewer. Its group `leads` become
    admins, and its group `staff` members."""
    issuer = configured(company, **MEMBERS, roles={"leads": "admin", "staff": "member"})
    async with signing_on(settings, caplog, issuer) as running:
        yield running


async def test_sign_in_page_learns_the_issuers(sign_on: SignOn) -> None:
    listed = await sign_on.browser().get("/api/auth/issuers")
    assert listed.json() == {"items": [{"name": "company", "title": "Company"}]}


async def test_platform_without_issuers_lists_none(world: World) -> None:
    assert (await world.browser().get("/api/auth/issuers")).json() == {"items": []}
    assert_problem(await world.browser().post("/api/auth/issuers/company/sign-in", {}), 404)


async def test_request_to_the_issuer_has_state_nonce_and_challenge(sign_on: SignOn, company: OpenIdProvider) -> None:
    location = await sign_on.begin(sign_on.browser())
    assert location.startswith(f"{company.issuer}/authorize?")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
    assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
    assert asked["redirect_uri"] == "http://127.0.0.1:8400/api/auth/issuers/company/callback"
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 43
    assert len({asked[name] for name in ("state", "nonce", "code_challenge")}) == 3
    again = parse_qs(urlsplit(await sign_on.begin(sign_on.browser())).query)
    assert [again[name][0] for name in ("state", "nonce")] != [asked["state"], asked["nonce"]]


async def test_new_person_of_the_domain_becomes_a_viewer(sign_on: SignOn) -> None:
    owner = await sign_on.world.owner()
    browser = sign_on.browser()
    answer = await sign_on.sign_in(browser, next="/compare?runs=1#end")
    assert (answer.status_code, answer.headers["location"]) == (303, "/compare?runs=1#end")
    assert answer.headers["cache-control"] == "no-store"
    session = await browser.session()
    assert (session["signed_in"], session["role"]) == (True, "viewer")
    assert session["person"]["email"] == "ada@company.example"
    assert (await browser.get("/api/members")).status_code == 200
    entries = (await owner.get("/api/audit-log")).json()["items"]
    joined = next(entry for entry in entries if entry["action"] == "joined" and entry["after"].get("issuer"))
    assert joined["after"] == {"email": "ada@company.example", "role": "viewer", "issuer": "company"}


async def test_same_person_is_recognised_by_subject_even_with_another_address(
    sign_on: SignOn, company: OpenIdProvider
) -> None:
    first, second = sign_on.browser(), sign_on.browser()
    company.user = User(groups=("staff",))
    await sign_on.sign_in(first)
    company.user = User(email="ada.new@elsewhere.example", email_verified=False, groups=("staff",))
    assert (await sign_on.sign_in(second)).headers["location"] == "/runs"
    assert (await second.session())["person"] == (await first.session())["person"]


@pytest.mark.shows("S-32")
async def test_planted_session_ends_at_sign_in(sign_on: SignOn) -> None:
    owner = await sign_on.world.owner()
    planted = owner.http.cookies[SESSION]
    victim = sign_on.browser()
    victim.http.cookies.set(SESSION, planted)
    answer = await sign_on.sign_in(victim)
    assert planted not in "".join(answer.headers.get_list("set-cookie"))
    assert_problem(await owner.get("/api/members"), 401)


async def test_cookies_are_out_of_reach_of_scripts_and_other_sites(sign_on: SignOn) -> None:
    browser = sign_on.browser()
    begun = await browser.post("/api/auth/issuers/company/sign-in", {})
    cookie = begun.headers["set-cookie"]
    assert cookie.startswith("llmbench-sign-in=")
    assert ("HttpOnly" in cookie, "SameSite=lax" in cookie) == (True, True)
    finished = await back(browser, await visited(begun.json()["location"]))
    cleared, session = finished.headers.get_list("set-cookie")
    assert cleared.startswith('llmbench-sign-in="";')
    assert session.startswith(f"{SESSION}=")


NOT_ADMITTED: list[tuple[dict[str, Any], str]] = [
    ({"email_verified": False}, "email"),
    ({"email_verified": "true"}, "email"),
    ({"email_verified": None}, "email"),
    ({"email": "ada@exämple.org"}, "email"),
    ({"email": "ada@elsewhere.example"}, "not-allowed"),
    ({"email": "ada@sub.company.example"}, "not-allowed"),
    ({"email": "ada@company.example.evil.example"}, "not-allowed"),
]


async def test_person_whom_no_rule_admits_is_refused(sign_on: SignOn, company: OpenIdProvider) -> None:
    for changes, reason in NOT_ADMITTED:
        company.claims = changes
        assert refusal(await sign_on.sign_in(sign_on.browser())) == reason, changes


@pytest.mark.shows("S-43")
async def test_address_of_an_existing_account_is_never_linked(sign_on: SignOn, company: OpenIdProvider) -> None:
    await sign_on.world.owner()
    company.user = User(email="ada@example.org", groups=("leads",))
    assert refusal(await sign_on.sign_in(sign_on.browser())) == "account-exists"


async def test_role_follows_the_groups_at_each_sign_in(sign_on: SignOn, company: OpenIdProvider) -> None:
    company.user = User(groups=("staff", "leads"))
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    assert (await browser.session())["role"] == "admin"
    company.user = User(groups=("staff",))
    await sign_on.sign_in(browser)
    assert (await browser.session())["role"] == "member"


async def test_person_who_left_every_group_loses_membership_and_sessions(
    sign_on: SignOn, company: OpenIdProvider
) -> None:
    company.user = User(email="eve@elsewhere.example", groups=("staff",))
    first, second = sign_on.browser(), sign_on.browser()
    assert (await sign_on.sign_in(first)).headers["location"] == "/runs"
    company.user = User(email="eve@elsewhere.example")
    assert refusal(await sign_on.sign_in(second)) == "not-allowed"
    assert_problem(await first.get("/api/members"), 401)
    company.user = User(email="eve@elsewhere.example", groups=("staff",))
    await sign_on.sign_in(second)
    assert (await second.session())["role"] == "member", "the group made the person a member again"


async def test_removal_by_an_admin_holds(sign_on: SignOn, company: OpenIdProvider) -> None:
    owner = await sign_on.world.owner()
    company.user = User(groups=("staff",))
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    person = (await browser.session())["person"]["id"]
    assert (await owner.request("DELETE", f"/api/members/{person}")).status_code == 204
    assert refusal(await sign_on.sign_in(sign_on.browser())) == "not-allowed"


async def test_owner_keeps_the_role_whatever_the_groups_say(sign_on: SignOn, company: OpenIdProvider) -> None:
    owner = await sign_on.world.owner()
    company.user = User(groups=("leads",))
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    person = (await browser.session())["person"]["id"]
    promoted = await owner.request("PATCH", f"/api/members/{person}", json={"role": "owner"})
    assert promoted.status_code == 200, promoted.text
    company.user = User(groups=())
    await sign_on.sign_in(browser)
    assert (await browser.session())["role"] == "owner"


async def test_disabled_person_is_refused(sign_on: SignOn, engine: AsyncEngine) -> None:
    await sign_on.sign_in(sign_on.browser())
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE person SET disabled_at = now()"))
    assert refusal(await sign_on.sign_in(sign_on.browser())) == "not-allowed"


async def test_account_of_an_issuer_has_no_password(sign_on: SignOn) -> None:
    await sign_on.sign_in(sign_on.browser())
    for password in ("", PASSWORD):
        body = {"email": "ada@company.example", "password": password or "x"}
        assert_problem(await sign_on.browser().post("/api/auth/sign-in", body), 401)


async def link(browser: Browser) -> httpx.Response:
    """Link the login of the company to the browser's account. Return the answer at the end."""
    begun = await browser.post("/api/auth/issuers/company/link", {"next": "/settings/linked-accounts"})
    assert begun.status_code == 200, begun.text
    return await back(browser, await visited(begun.json()["location"]))


async def test_person_links_a_login_and_signs_in_with_it(sign_on: SignOn, company: OpenIdProvider) -> None:
    owner = await sign_on.world.owner()
    company.user = User(email="ada@example.org")
    answer = await link(owner)
    assert answer.headers["location"] == "/settings/linked-accounts"
    [login] = (await owner.get("/api/auth/logins")).json()["items"]
    assert login["issuer"] == "Company"
    other = sign_on.browser()
    await sign_on.sign_in(other)
    assert (await other.session())["person"] == (await owner.session())["person"]
    assert (await other.session())["role"] == "owner", "groups decide no role that was given by hand"

    assert (await owner.request("DELETE", f"/api/auth/logins/{login['id']}")).status_code == 204
    assert_problem(await other.get("/api/members"), 401)
    assert (await owner.get("/api/members")).status_code == 200
    assert refusal(await sign_on.sign_in(sign_on.browser())) == "account-exists"


@pytest.mark.shows("S-32")
async def test_linking_needs_the_csrf_token_and_the_same_session_at_the_end(sign_on: SignOn) -> None:
    owner = await sign_on.world.owner()
    csrf, owner.csrf = owner.csrf, None
    assert_problem(await owner.post("/api/auth/issuers/company/link", {}), 403)
    assert_problem(await sign_on.browser().post("/api/auth/issuers/company/link", {}), 401)
    owner.csrf = csrf
    begun = await owner.post("/api/auth/issuers/company/link", {})
    location = await visited(begun.json()["location"])
    await owner.post("/api/auth/sign-out")
    assert refusal(await back(owner, location)) == "session"


async def test_login_of_another_account_cannot_be_linked(sign_on: SignOn) -> None:
    owner = await sign_on.world.owner()
    await sign_on.sign_in(sign_on.browser())
    answer = await link(owner)
    assert answer.headers["location"].startswith("/settings/linked-accounts?refused=taken")


async def test_login_of_somebody_else_can_neither_be_seen_nor_removed(sign_on: SignOn) -> None:
    owner = await sign_on.world.owner()
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    [login] = (await browser.get("/api/auth/logins")).json()["items"]
    assert (await owner.get("/api/auth/logins")).json() == {"items": []}
    assert_problem(await owner.request("DELETE", f"/api/auth/logins/{login['id']}"), 404)
    assert_problem(await sign_on.browser().get("/api/auth/logins"), 401)


async def test_only_way_to_sign_in_cannot_be_removed(sign_on: SignOn) -> None:
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    browser.csrf = (await browser.session())["csrf_token"]
    [login] = (await browser.get("/api/auth/logins")).json()["items"]
    assert_problem(await browser.request("DELETE", f"/api/auth/logins/{login['id']}"), 409)


async def test_sign_out_leads_to_the_issuer_where_the_session_began(sign_on: SignOn, company: OpenIdProvider) -> None:
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    browser.csrf = (await browser.session())["csrf_token"]
    answer = await browser.post("/api/auth/issuers/sign-out")
    parts = urlsplit(answer.json()["location"])
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{company.issuer}/logout"
    assert parse_qs(parts.query) == {
        "client_id": ["llmbench"],
        "post_logout_redirect_uri": ["http://127.0.0.1:8400/sign-in"],
    }
    assert (await browser.session())["signed_in"] is False


async def test_sign_out_of_a_password_session_stays_here(sign_on: SignOn) -> None:
    owner = await sign_on.world.owner()
    answer = await owner.post("/api/auth/issuers/sign-out")
    assert answer.json() == {"location": None}
    assert_problem(await owner.get("/api/members"), 401)


async def test_issuer_without_the_address_in_its_token_is_asked_for_it(
    sign_on: SignOn, company: OpenIdProvider
) -> None:
    company.claims = {"email": None, "email_verified": None, "name": None, "groups": None}
    company.user = User(groups=("staff",))
    browser = sign_on.browser()
    await sign_on.sign_in(browser)
    assert (await browser.session())["role"] == "member"
    assert company.asked.count("/userinfo") == 1


async def test_new_key_of_the_issuer_is_fetched_when_a_token_names_it(sign_on: SignOn, company: OpenIdProvider) -> None:
    await sign_on.sign_in(sign_on.browser())
    await sign_on.sign_in(sign_on.browser())
    assert company.asked.count("/keys") == 1
    company.key = new_key("second")
    assert (await sign_on.sign_in(sign_on.browser())).headers["location"] == "/runs"
    assert company.asked.count("/keys") == 2


async def test_issuer_that_is_down_ends_no_session(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    async with providing() as company:
        issuer = configured(company, **MEMBERS)
        async with signing_on(settings, caplog, issuer) as before:
            entered = before.browser()
            await before.sign_in(entered)
    async with signing_on(settings, caplog, issuer) as after:
        browser = after.browser()
        browser.http.cookies = entered.http.cookies
        assert (await browser.get("/api/members")).status_code == 200
        problem = assert_problem(await after.browser().post("/api/auth/issuers/company/sign-in", {}), 502)
        assert "Company" in problem["detail"]
        assert (await after.browser().http.get("/health/ready")).status_code == 200
        browser.csrf = (await browser.session())["csrf_token"]
        assert (await browser.post("/api/auth/issuers/sign-out")).json() == {"location": None}


@pytest.mark.shows("S-33")
async def test_many_attempts_from_one_address_are_limited(sign_on: SignOn) -> None:
    stranger, headers, begun = sign_on.browser(), {"X-Forwarded-For": "203.0.113.9"}, 0
    path = "/api/auth/issuers/company/sign-in"
    while (await stranger.request("POST", path, json={}, headers=headers)).status_code == 200:
        begun += 1
    limited = await stranger.request("POST", path, json={}, headers=headers)
    assert (begun >= 60, limited.status_code) == (True, 429)
    assert (await sign_on.sign_in(sign_on.browser())).headers["location"] == "/runs", "others are not affected"


ELSEWHERE = (
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "javascript:x",
)


@pytest.mark.shows("S-32")
async def test_way_on_never_leads_elsewhere(sign_on: SignOn) -> None:
    for next_path in ELSEWHERE:
        assert (await sign_on.sign_in(sign_on.browser(), next=next_path)).headers["location"] == "/runs", next_path
        assert local_path(next_path) == "/runs"


async def test_public_client_needs_no_secret(
    settings: Settings, caplog: pytest.LogCaptureFixture, company: OpenIdProvider
) -> None:
    company.client = type(company.client)("llmbench", None, ALGORITHM)
    issuer = configured(company, **MEMBERS)
    del issuer["client_secret"]
    async with signing_on(settings, caplog, issuer) as sign_on:
        assert (await sign_on.sign_in(sign_on.browser())).headers["location"] == "/runs"
    assert "code_verifier" in company.forms[0]
