"""Test the first owner, signing in and out, and the description of a session."""

import asyncio

import pytest
from identity_world import PASSWORD, Clock, World, assert_problem, running, token_in
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.passwords import Passwords
from identity.settings import Settings


@pytest.mark.shows("S-34")
async def test_first_owner_link_makes_an_owner_once(world: World) -> None:
    before = await world.browser().session()
    assert (before["signed_in"], before["first_owner_needed"]) == (False, True)
    owner = await world.owner()
    session = await owner.session()
    assert (session["auth"], session["signed_in"], session["role"]) == ("on", True, "owner")
    assert session["person"]["email"] == "ada@example.org"
    assert session["organisation"]["name"] == "Engines"
    assert [each["role"] for each in session["organisations"]] == ["owner"]
    assert "organisation:update" in session["allowed"]
    assert (await world.browser().session())["first_owner_needed"] is False

    again = {"token": world.first_owner_token, "email": "eve@example.org", "name": "Eve"}
    answer = await world.browser().post(
        "/api/auth/first-owner", {**again, "password": PASSWORD, "organisation": "Mine"}
    )
    assert_problem(answer, 410)


async def test_password_is_hashed_at_the_recommended_cost(
    settings: Settings, engine: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    """The stored hash is one of Argon2id with the second recommended option of RFC 9106: 64 MiB, three passes, four
    lanes."""
    clock = Clock()
    async with running(settings, clock, Passwords()) as transport:
        await World(transport, token_in(caplog.text), clock).owner()
    async with engine.connect() as connection:
        stored = (await connection.execute(text("SELECT password_hash FROM person"))).scalar_one()
    assert stored.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


async def test_wrong_first_owner_token_is_refused(world: World) -> None:
    for token in ("x", "\x00", world.first_owner_token + "x"):
        body = {"token": token, "email": "eve@example.org", "name": "Eve", "password": PASSWORD, "organisation": "Mine"}
        assert_problem(await world.browser().post("/api/auth/first-owner", body), 410)


async def test_expired_first_owner_link_is_refused(world: World, engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE invitation SET expires_at = now() - interval '1 second'"))
    body = {"email": "eve@example.org", "name": "Eve", "password": PASSWORD, "organisation": "Mine"}
    answer = await world.browser().post("/api/auth/first-owner", {"token": world.first_owner_token, **body})
    assert_problem(answer, 410)


async def test_person_signs_in_and_out_again(world: World) -> None:
    await world.owner()
    browser = world.browser()
    answer = await browser.post("/api/auth/sign-in", {"email": " ADA@Example.org ", "password": PASSWORD})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("llmbench-session=")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert (await browser.get("/api/members")).status_code == 200
    token = browser.http.cookies["llmbench-session"]
    assert (await browser.post("/api/auth/sign-out")).status_code == 204
    assert not browser.http.cookies
    browser.http.cookies.set("llmbench-session", token)
    assert_problem(await browser.get("/api/members"), 401)
    assert (await browser.session())["signed_in"] is False


@pytest.mark.shows("S-33")
async def test_unknown_account_and_wrong_password_get_the_same_answer(world: World) -> None:
    await world.owner()
    answers = [
        await world.browser().post("/api/auth/sign-in", {"email": email, "password": "wrong"})
        for email in ("ada@example.org", "nobody@example.org")
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].json() == answers[1].json()
    assert "set-cookie" not in answers[0].headers


@pytest.mark.shows("S-32")
async def test_sign_in_ends_the_session_that_the_browser_presented(world: World) -> None:
    """The session of the browser ends, and a new one begins. An attacker may have planted the old session in the
    browser."""
    owner = await world.owner()
    planted = owner.http.cookies["llmbench-session"]
    victim = world.browser()
    victim.http.cookies.set("llmbench-session", planted)
    answer = await victim.post("/api/auth/sign-in", {"email": "ada@example.org", "password": PASSWORD})
    assert answer.status_code == 200
    assert planted not in answer.headers["set-cookie"]
    assert_problem(await owner.get("/api/members"), 401)


@pytest.mark.shows("S-32")
async def test_made_up_session_is_never_adopted(world: World) -> None:
    browser = world.browser()
    browser.http.cookies.set("llmbench-session", "chosen-by-the-attacker")
    body = {"email": "ada@example.org", "password": PASSWORD}
    await world.owner()
    answer = await browser.post("/api/auth/sign-in", body)
    assert "chosen-by-the-attacker" not in answer.headers["set-cookie"]


@pytest.mark.shows("S-32")
@pytest.mark.parametrize("column", ["expires_at", "idle_expires_at"])
async def test_session_ends_after_its_time(world: World, engine: AsyncEngine, column: str) -> None:
    owner = await world.owner()
    async with engine.begin() as connection:
        await connection.execute(text(f"UPDATE web_session SET {column} = now() - interval '1 second'"))
    assert_problem(await owner.get("/api/members"), 401)


async def test_use_prolongs_an_idle_session(world: World, engine: AsyncEngine) -> None:
    owner = await world.owner()
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE web_session SET idle_expires_at = now() + interval '1 hour'"))
    assert (await owner.get("/api/members")).status_code == 200
    async with engine.connect() as connection:
        left = await connection.execute(text("SELECT idle_expires_at > now() + interval '2 hours' FROM web_session"))
        assert left.scalar_one() is True


async def test_disabled_person_can_neither_go_on_nor_sign_in(world: World, engine: AsyncEngine) -> None:
    owner = await world.owner()
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE person SET disabled_at = now()"))
    assert_problem(await owner.get("/api/members"), 401)
    answer = await world.browser().post("/api/auth/sign-in", {"email": "ada@example.org", "password": PASSWORD})
    assert_problem(answer, 401)


@pytest.mark.shows("S-32")
async def test_request_that_changes_something_needs_the_csrf_token(world: World) -> None:
    owner = await world.owner()
    csrf, owner.csrf = owner.csrf, None
    assert csrf is not None
    assert_problem(await owner.post("/api/invitations", {"role": "viewer"}), 403)
    for wrong in ("x", csrf[:-1], "\xff"):
        assert_problem(
            await owner.request(
                "POST", "/api/invitations", json={"role": "viewer"}, headers={"X-CSRF-Token": wrong.encode("latin-1")}
            ),
            403,
        )
    for path in ("sign-out", "organisation", "password"):
        bodies = {"organisation": {"id": "00000000-0000-7000-8000-000000000001"}}
        bodies |= {"password": {"current": PASSWORD, "new": "another password"}}
        assert_problem(await owner.post(f"/api/auth/{path}", bodies.get(path)), 403)
    owner.csrf = csrf
    assert (await owner.post("/api/invitations", {"role": "viewer"})).status_code == 201


async def test_new_password_ends_the_other_sessions(world: World) -> None:
    owner = await world.owner()
    other = world.browser()
    await other.post("/api/auth/sign-in", {"email": "ada@example.org", "password": PASSWORD})
    wrong = await owner.post("/api/auth/password", {"current": "no", "new": "another password"})
    assert_problem(wrong, 422, "current")
    short = await owner.post("/api/auth/password", {"current": PASSWORD, "new": "short"})
    assert_problem(short, 422, "new")
    changed = await owner.post("/api/auth/password", {"current": PASSWORD, "new": "another password"})
    assert changed.status_code == 200
    assert (await owner.get("/api/members")).status_code == 200
    assert_problem(await other.get("/api/members"), 401)
    old = await world.browser().post("/api/auth/sign-in", {"email": "ada@example.org", "password": PASSWORD})
    assert_problem(old, 401)


@pytest.mark.shows("S-33")
async def test_many_attempts_are_limited_by_address_and_account_only(world: World) -> None:
    await world.owner()
    guesser = world.browser()
    guess = {"email": "ada@example.org", "password": "guess"}
    statuses = [
        (
            await guesser.request("POST", "/api/auth/sign-in", json=guess, headers={"X-Forwarded-For": "203.0.113.9"})
        ).status_code
        for _ in range(11)
    ]
    assert statuses == [401] * 10 + [429]
    limited = await guesser.request(
        "POST", "/api/auth/sign-in", json=guess, headers={"X-Forwarded-For": "1.2.3.4, 203.0.113.9"}
    )
    assert limited.status_code == 429
    assert int(limited.headers["retry-after"]) > 0
    right = await world.browser().post("/api/auth/sign-in", {"email": "ada@example.org", "password": PASSWORD})
    assert right.status_code == 200, "the person is not locked out by somebody else's guesses"


@pytest.mark.shows("S-34")
async def test_two_who_use_one_link_at_once_make_one_account(world: World) -> None:
    owner = await world.owner()
    token = (await owner.post("/api/invitations", {"role": "member"})).json()["token"]
    bodies = [
        {"token": token, "email": f"{name}@example.org", "name": name, "password": PASSWORD} for name in ("bob", "eve")
    ]
    answers = await asyncio.gather(*(world.browser().post("/api/auth/invitations/accept", body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [201, 410]


@pytest.mark.parametrize(
    "email", ["\u0430da@example.org", "ada@exämple.org", "ada", "a@b", "ada@example.org\x00", "a b@c.de"]
)
async def test_address_that_is_none_or_looks_like_another_is_refused(world: World, email: str) -> None:
    body = {"token": world.first_owner_token, "email": email, "name": "Eve", "password": PASSWORD, "organisation": "x"}
    assert_problem(await world.browser().post("/api/auth/first-owner", body), 422, "email")


async def test_spellings_of_one_address_are_one_account(world: World) -> None:
    owner = await world.owner()
    for email in ("ADA@EXAMPLE.ORG", "ａｄａ@example.org"):  # noqa: RUF001  # full-width letters
        signed_in = await world.browser().post("/api/auth/sign-in", {"email": email, "password": PASSWORD})
        assert signed_in.json()["person"] == (await owner.session())["person"]


async def test_owner_closes_an_organisation_and_nobody_gets_in(world: World, engine: AsyncEngine) -> None:
    owner = await world.owner()
    first = (await owner.session())["organisation"]["slug"]
    assert_problem(await owner.request("DELETE", f"/api/organisations/current?slug={first}"), 409)
    made = (await owner.post("/api/organisations", {"name": "Second", "slug": "second"})).json()
    await owner.post("/api/auth/organisation", {"id": made["id"]})
    member = await world.joined(owner, "member")
    key = (await owner.post("/api/api-keys", {"name": "nightly"})).json()["key"]
    token = (await owner.post("/api/invitations", {"role": "member"})).json()["token"]
    assert_problem(await member.request("DELETE", "/api/organisations/current?slug=second"), 403)
    assert_problem(await owner.request("DELETE", "/api/organisations/current?slug=first"), 422, "slug")

    assert (await owner.request("DELETE", "/api/organisations/current?slug=second")).status_code == 204
    assert "was closed" in (await member.get("/api/members")).json()["detail"]
    assert_problem(await member.get("/api/members"), 403)
    assert (await member.session())["organisations"] == []
    late = {"token": token, "name": "Eve", "email": "eve@example.org", "password": PASSWORD}
    assert_problem(await world.browser().post("/api/auth/invitations/accept", late), 410)
    program = world.browser()
    program.http.headers["authorization"] = f"Bearer {key}"
    assert_problem(await program.get("/api/members"), 401)
    assert [each["slug"] for each in (await owner.session())["organisations"]] == [first]
    assert (await owner.post("/api/auth/organisation", {"id": made["id"]})).status_code in (403, 404)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE organisation SET closed_at = NULL"))
    assert (await owner.post("/api/auth/organisation", {"id": made["id"]})).status_code == 200
    entries = (await owner.get("/api/audit-log")).json()["items"]
    assert next(entry for entry in entries if entry["action"] == "closed")["before"] == {"slug": "second"}
