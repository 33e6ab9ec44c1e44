"""Test the endpoints of second factors, a person's own sessions, password resets and service accounts."""

import asyncio
import base64
from typing import Any

import pyotp
import pytest
from identity_world import PASSWORD, Browser, World, assert_problem
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.rates import OF_CODES
from identity.second_factor import STEP_S, matching_step

NEW = "another password"
RFC_SECRET = base64.b32encode(b"12345678901234567890").decode()
"""The secret of the test vectors in RFC 6238, appendix B."""


async def set_up(world: World, browser: Browser) -> tuple[pyotp.TOTP, list[str]]:
    """Set up a second factor. Return the generator of its codes, and the recovery codes. The code of the current time
    step is used up."""
    begun = await browser.post("/api/auth/second-factor", {"password": PASSWORD})
    assert begun.status_code == 200, begun.text
    totp = pyotp.TOTP(begun.json()["secret"])
    confirmed = await browser.post("/api/auth/second-factor/confirm", {"code": totp.at(int(world.clock()))})
    assert confirmed.status_code == 200, confirmed.text
    codes: list[str] = confirmed.json()["codes"]
    return totp, codes


def next_code(world: World, totp: pyotp.TOTP) -> str:
    """Return the code of the next time step."""
    world.clock.now_s += STEP_S
    return totp.at(int(world.clock()))


def as_ada(**more: Any) -> dict[str, Any]:
    return {"email": "ada@example.org", "password": PASSWORD, **more}


async def person_id(browser: Browser) -> str:
    return str((await browser.session())["person"]["id"])


@pytest.mark.parametrize(
    ("at", "code"), [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")]
)
def test_codes_are_those_of_the_standard(at: int, code: str) -> None:
    assert matching_step(RFC_SECRET, code, float(at)) == at // STEP_S
    assert matching_step(RFC_SECRET, code, float(at + STEP_S)) == at // STEP_S, "a slow device"
    assert matching_step(RFC_SECRET, code, float(at + 2 * STEP_S)) is None


@pytest.mark.shows("S-34")
async def test_sign_in_asks_for_the_second_factor_and_accepts_a_code_once(world: World) -> None:
    totp, _ = await set_up(world, await world.owner())
    asked = assert_problem(await world.browser().post("/api/auth/sign-in", as_ada()), 401, "code")
    assert asked["title"] == "Second factor needed"
    code = next_code(world, totp)
    assert (await world.browser().post("/api/auth/sign-in", as_ada(code=code))).status_code == 200
    again = await world.browser().post("/api/auth/sign-in", as_ada(code=code))
    assert_problem(again, 401, "code")
    assert (await world.browser().post("/api/auth/sign-in", as_ada(code=next_code(world, totp)))).status_code == 200


async def test_code_of_setting_up_cannot_be_used_again(world: World) -> None:
    totp, _ = await set_up(world, await world.owner())
    used = totp.at(int(world.clock()))
    assert_problem(await world.browser().post("/api/auth/sign-in", as_ada(code=used)), 401, "code")


@pytest.mark.shows("S-34")
async def test_two_sign_ins_with_one_code_at_once_open_one_session(world: World) -> None:
    totp, _ = await set_up(world, await world.owner())
    code = next_code(world, totp)
    answers = await asyncio.gather(*(world.browser().post("/api/auth/sign-in", as_ada(code=code)) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 401]


async def test_second_factor_is_not_asked_for_before_the_password_is_right(world: World) -> None:
    await set_up(world, await world.owner())
    wrong = await world.browser().post("/api/auth/sign-in", as_ada(password="wrong", code="wrong!"))
    assert assert_problem(wrong, 401)["title"] == "Not signed in"


async def test_recovery_code_works_once_and_is_stored_as_a_hash(world: World, engine: AsyncEngine) -> None:
    owner = await world.owner()
    _, codes = await set_up(world, owner)
    assert len(set(codes)) == 10
    spelled = codes[0].upper().replace("-", " ")
    assert (await world.browser().post("/api/auth/sign-in", as_ada(code=spelled))).status_code == 200
    assert_problem(await world.browser().post("/api/auth/sign-in", as_ada(code=codes[0])), 401, "code")
    assert (await owner.get("/api/auth/second-factor")).json()["recovery_codes"] == 9
    async with engine.connect() as connection:
        stored = str((await connection.execute(text("SELECT recovery_code::text FROM recovery_code"))).all())
        sealed = str((await connection.execute(text("SELECT second_factor::text FROM second_factor"))).all())
    assert codes[1] not in stored
    assert codes[1].replace("-", "") not in stored
    assert "otpauth" not in sealed


@pytest.mark.shows("S-33")
async def test_guessed_codes_are_limited_from_all_addresses_but_recovery_codes_work(world: World) -> None:
    _, codes = await set_up(world, await world.owner())
    statuses = [
        (
            await world.browser().request(
                "POST", "/api/auth/sign-in", json=as_ada(code="wrong!"), headers={"X-Forwarded-For": f"203.0.113.{n}"}
            )
        ).status_code
        # One code was used up when the factor was confirmed.
        for n in range(OF_CODES.size)
    ]
    assert statuses == [401] * (OF_CODES.size - 1) + [429]
    assert (await world.browser().post("/api/auth/sign-in", as_ada(code=codes[0]))).status_code == 200


async def test_setting_up_needs_the_password_and_a_right_code(world: World) -> None:
    owner = await world.owner()
    assert_problem(await owner.post("/api/auth/second-factor", {"password": "wrong"}), 422, "password")
    assert_problem(await owner.post("/api/auth/second-factor/confirm", {"code": "wrong!"}), 422, "code")
    begun = (await owner.post("/api/auth/second-factor", {"password": PASSWORD})).json()
    assert begun["uri"].startswith("otpauth://totp/llmbench:ada%40example.org?secret=")
    assert begun["picture"].startswith("data:image/svg+xml")
    # The second factor is not in use yet.
    assert (await world.browser().post("/api/auth/sign-in", as_ada())).status_code == 200
    await set_up(world, owner)
    assert_problem(await owner.post("/api/auth/second-factor", {"password": PASSWORD}), 409)
    assert (await owner.session())["second_factor"]["enabled"] is True


async def test_setting_up_ends_the_sessions_without_it(world: World) -> None:
    owner = await world.owner()
    other = world.browser()
    await other.post("/api/auth/sign-in", as_ada())
    await set_up(world, owner)
    assert_problem(await other.get("/api/members"), 401)
    assert (await owner.get("/api/members")).status_code == 200


async def test_removing_needs_password_and_code(world: World) -> None:
    owner = await world.owner()
    totp, _ = await set_up(world, owner)
    path = "/api/auth/second-factor/remove"
    assert_problem(await owner.post(path, {"password": "no", "code": next_code(world, totp)}), 422, "password")
    assert_problem(await owner.post(path, {"password": PASSWORD, "code": "wrong!"}), 401, "code")
    removed = await owner.post(path, {"password": PASSWORD, "code": next_code(world, totp)})
    assert removed.status_code == 204
    assert (await world.browser().post("/api/auth/sign-in", as_ada())).status_code == 200


async def test_required_second_factor_keeps_others_out_until_they_have_one(world: World) -> None:
    owner = await world.owner()
    member = await world.joined(owner, "admin")
    path, body = "/api/organisations/current", {"require_second_factor": True}
    assert_problem(await owner.request("PATCH", path, json=body), 409)
    await set_up(world, owner)
    changed = await owner.request("PATCH", path, json=body)
    assert changed.json()["require_second_factor"] is True
    refused = assert_problem(await member.get("/api/members"), 403)
    assert refused["title"] == "Second factor needed"
    session = await member.session()
    assert session["second_factor"] == {"enabled": False, "required": True, "lacking": True}
    assert session["allowed"] == []
    await set_up(world, member)
    assert (await member.get("/api/members")).status_code == 200
    assert (await owner.get("/api/members")).status_code == 200


async def test_invitation_is_no_way_around_the_second_factor(world: World) -> None:
    owner = await world.owner()
    bob = await world.joined(owner, "member")
    totp, _ = await set_up(world, bob)
    second = await owner.post("/api/organisations", {"name": "Second", "slug": "second"})
    await owner.post("/api/auth/organisation", {"id": second.json()["id"]})
    token = (await owner.post("/api/invitations", {"role": "member"})).json()["token"]
    body = {"token": token, "email": "bob@example.org", "name": "Bob", "password": PASSWORD}
    assert_problem(await world.browser().post("/api/auth/invitations/accept", body), 401, "code")
    body["code"] = next_code(world, totp)
    assert (await world.browser().post("/api/auth/invitations/accept", body)).status_code == 201


async def test_people_see_and_end_their_own_sessions_only(world: World) -> None:
    owner = await world.owner()
    bob = await world.joined(owner, "member")
    other = world.browser()
    await other.request("POST", "/api/auth/sign-in", json=as_ada(), headers={"User-Agent": "A telephone"})
    listed = (await owner.get("/api/auth/sessions")).json()["items"]
    assert [each["current"] for each in listed] == [False, True]
    assert listed[0]["device"] == "A telephone"
    (of_bob,) = (await bob.get("/api/auth/sessions")).json()["items"]
    assert_problem(await owner.request("DELETE", f"/api/auth/sessions/{of_bob['id']}"), 404)
    assert (await owner.request("DELETE", f"/api/auth/sessions/{listed[0]['id']}")).status_code == 204
    assert_problem(await other.get("/api/members"), 401)
    assert (await bob.get("/api/members")).status_code == 200
    assert_problem(await world.browser().get("/api/auth/sessions"), 401)
    csrf, owner.csrf = owner.csrf, None
    assert_problem(await owner.post("/api/auth/sessions/end-others"), 403)
    owner.csrf = csrf
    third = world.browser()
    await third.post("/api/auth/sign-in", as_ada())
    assert (await owner.post("/api/auth/sessions/end-others")).status_code == 204
    assert_problem(await third.get("/api/members"), 401)
    assert (await owner.get("/api/members")).status_code == 200


@pytest.mark.shows("S-34")
async def test_link_of_an_admin_sets_a_new_password_once(world: World) -> None:
    owner = await world.owner()
    bob = await world.joined(owner, "member")
    await set_up(world, bob)
    made = await owner.post("/api/password-resets", {"person_id": await person_id(bob)})
    assert made.status_code == 201, made.text
    token = made.json()["token"]
    assert made.json()["path"] == f"/reset-password#{token}"
    stranger = world.browser()
    assert_problem(
        await stranger.post("/api/auth/password-reset", {"token": token, "password": "short"}), 422, "password"
    )
    used = await stranger.post("/api/auth/password-reset", {"token": token, "password": NEW})
    assert used.status_code == 204
    assert "set-cookie" not in used.headers, "the link alone signs nobody in"
    assert_problem(await bob.get("/api/members"), 401)
    assert_problem(await stranger.post("/api/auth/password-reset", {"token": token, "password": NEW}), 410)
    old = {"email": "bob@example.org", "password": PASSWORD}
    assert_problem(await world.browser().post("/api/auth/sign-in", old), 401)
    asked = await world.browser().post("/api/auth/sign-in", {**old, "password": NEW})
    assert_problem(asked, 401, "code")
    entries = (await owner.get("/api/audit-log")).json()["items"]
    assert {("reset", "password"), ("created", "password-reset")} <= {(e["action"], e["resource"]) for e in entries}


async def test_link_for_a_lost_device_removes_the_second_factor(world: World) -> None:
    owner = await world.owner()
    bob = await world.joined(owner, "member")
    await set_up(world, bob)
    body = {"person_id": await person_id(bob), "second_factor": True}
    token = (await owner.post("/api/password-resets", body)).json()["token"]
    await world.browser().post("/api/auth/password-reset", {"token": token, "password": NEW})
    answer = await world.browser().post("/api/auth/sign-in", {"email": "bob@example.org", "password": NEW})
    assert answer.status_code == 200


@pytest.mark.shows("S-31")
async def test_reset_gives_nobody_an_account_that_is_beyond_them(world: World) -> None:
    owner = await world.owner()
    admin = await world.joined(owner, "admin", "Eve")
    bob = await world.joined(owner, "member")
    ada_id, bob_id = await person_id(owner), await person_id(bob)
    assert_problem(await admin.post("/api/password-resets", {"person_id": ada_id}), 403)
    assert_problem(await owner.post("/api/password-resets", {"person_id": ada_id}), 409)
    assert_problem(await bob.post("/api/password-resets", {"person_id": ada_id}), 403)
    nobody = "00000000-0000-7000-8000-000000000009"
    assert_problem(await owner.post("/api/password-resets", {"person_id": nobody}), 404)
    early = (await admin.post("/api/password-resets", {"person_id": bob_id})).json()["token"]

    # Bob joins a second organisation. After that, no admin can create a link for him, and the earlier link is void.
    second = await owner.post("/api/organisations", {"name": "Second", "slug": "second"})
    await owner.post("/api/auth/organisation", {"id": second.json()["id"]})
    token = (await owner.post("/api/invitations", {"role": "owner"})).json()["token"]
    accepted = {"token": token, "email": "bob@example.org", "name": "Bob", "password": PASSWORD}
    assert (await world.browser().post("/api/auth/invitations/accept", accepted)).status_code == 201
    assert_problem(await admin.post("/api/password-resets", {"person_id": bob_id}), 409)
    assert_problem(await world.browser().post("/api/auth/password-reset", {"token": early, "password": NEW}), 410)


async def test_link_stops_working_with_its_time_a_newer_one_and_its_makers_rights(
    world: World, engine: AsyncEngine
) -> None:
    owner = await world.owner()
    admin = await world.joined(owner, "admin", "Eve")
    bob = {"person_id": await person_id(await world.joined(owner, "member"))}
    first, second = [(await admin.post("/api/password-resets", bob)).json()["token"] for _ in range(2)]
    reset = "/api/auth/password-reset"
    assert_problem(await world.browser().post(reset, {"token": first, "password": NEW}), 410)
    path = f"/api/members/{await person_id(admin)}"
    assert (await owner.request("PATCH", path, json={"role": "member"})).status_code == 200
    assert_problem(await world.browser().post(reset, {"token": second, "password": NEW}), 410)
    third = (await owner.post("/api/password-resets", bob)).json()["token"]
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE password_reset SET expires_at = now() - interval '1 second'"))
    assert_problem(await world.browser().post(reset, {"token": third, "password": NEW}), 410)
    assert_problem(await world.browser().post(reset, {"token": "\x00", "password": NEW}), 410)


async def test_service_account_acts_by_keys_and_cannot_sign_in(world: World, engine: AsyncEngine) -> None:
    owner = await world.owner()
    made = await owner.post("/api/service-accounts", {"name": "Nightly", "role": "viewer"})
    assert made.status_code == 201, made.text
    account = made.json()["id"]
    key = await owner.post("/api/api-keys", {"name": "nightly", "service_account_id": account})
    assert (key.json()["person_id"], key.json()["person_name"]) == (account, "Nightly")
    program = world.browser(key=key.json()["key"])
    assert (await program.get("/api/members")).status_code == 200
    assert_problem(await program.get("/api/audit-log"), 403)
    assert account not in [each["id"] for each in (await owner.get("/api/members")).json()["items"]]
    async with engine.connect() as connection:
        email = (await connection.execute(text(f"SELECT email FROM person WHERE id = '{account}'"))).scalar_one()
    attempt = await world.browser().post("/api/auth/sign-in", {"email": email, "password": PASSWORD})
    assert_problem(attempt, 401)
    assert_problem(await owner.post("/api/password-resets", {"person_id": account}), 404)
    assert_problem(await owner.request("PATCH", f"/api/members/{account}", json={"role": "owner"}), 404)

    assert (await owner.request("DELETE", f"/api/service-accounts/{account}")).status_code == 204
    assert_problem(await program.get("/api/members"), 401)
    assert (await owner.get("/api/service-accounts")).json()["items"] == []
    assert_problem(await owner.request("DELETE", f"/api/service-accounts/{account}"), 404)


async def test_service_account_gives_nobody_more_rights(world: World) -> None:
    owner = await world.owner()
    admin = await world.joined(owner, "admin")
    assert_problem(await owner.post("/api/service-accounts", {"name": "x", "role": "owner"}), 422, "role")
    account = (await admin.post("/api/service-accounts", {"name": "x", "role": "viewer"})).json()["id"]
    wide = {"name": "wide", "service_account_id": account, "scopes": ["runs:create"]}
    assert_problem(await admin.post("/api/api-keys", wide), 403)
    person = {"name": "p", "service_account_id": await person_id(owner)}
    assert_problem(await admin.post("/api/api-keys", person), 422, "service_account_id")


async def test_keys_of_a_service_account_outlive_the_person_who_made_them(world: World) -> None:
    owner = await world.owner()
    admin = await world.joined(owner, "admin")
    account = (await admin.post("/api/service-accounts", {"name": "ci", "role": "member"})).json()["id"]
    key = (await admin.post("/api/api-keys", {"name": "ci", "service_account_id": account})).json()["key"]
    assert (await owner.request("DELETE", f"/api/members/{await person_id(admin)}")).status_code == 204
    assert (await world.browser(key=key).get("/api/members")).status_code == 200


RENEW = "/api/auth/second-factor/recovery-codes"


@pytest.mark.shows("S-34")
@pytest.mark.parametrize("by", ["password", "code"])
async def test_renewed_recovery_codes_replace_the_earlier_ones(world: World, by: str) -> None:
    owner = await world.owner()
    totp, early = await set_up(world, owner)
    body = {"password": PASSWORD} if by == "password" else {"code": next_code(world, totp)}
    renewed = await owner.post(RENEW, body)
    assert renewed.status_code == 200, renewed.text
    assert renewed.headers["cache-control"] == "no-store"
    codes = renewed.json()["codes"]
    assert len(set(codes)) == 10
    assert not set(codes) & set(early)
    assert (await owner.get("/api/auth/second-factor")).json()["recovery_codes"] == 10
    assert_problem(await world.browser().post("/api/auth/sign-in", as_ada(code=early[0])), 401, "code")
    assert (await world.browser().post("/api/auth/sign-in", as_ada(code=codes[0]))).status_code == 200
    entries = (await owner.get("/api/audit-log")).json()["items"]
    assert ("renewed", "recovery-codes") in {(entry["action"], entry["resource"]) for entry in entries}


async def test_recovery_codes_are_renewed_for_the_person_only(world: World) -> None:
    owner = await world.owner()
    assert_problem(await owner.post(RENEW, {"password": PASSWORD}), 409)
    totp, early = await set_up(world, owner)
    assert_problem(await owner.post(RENEW, {"password": "wrong"}), 422, "password")
    assert_problem(await owner.post(RENEW, {}), 422, "body")
    assert_problem(await owner.post(RENEW, {"code": early[0]}), 401, "code")
    code = next_code(world, totp)
    assert (await owner.post(RENEW, {"code": code})).status_code == 200
    assert_problem(await owner.post(RENEW, {"code": code}), 401, "code")
    assert_problem(await world.browser().post(RENEW, {"password": PASSWORD}), 401)
    owner.csrf = "wrong"
    assert_problem(await owner.post(RENEW, {"password": PASSWORD}), 403)


async def test_guessed_codes_do_not_renew_recovery_codes_without_end(world: World) -> None:
    owner = await world.owner()
    await set_up(world, owner)
    # Setting up has used one attempt.
    for _ in range(OF_CODES.size - 1):
        assert_problem(await owner.post(RENEW, {"code": "000000"}), 401, "code")
    assert_problem(await owner.post(RENEW, {"code": "000000"}), 429)
    assert (await owner.post(RENEW, {"password": PASSWORD})).status_code == 200
