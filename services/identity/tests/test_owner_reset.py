"""Test the link that the operator creates for an owner who can no longer sign in."""

import pytest
from identity_world import PASSWORD, World, assert_problem
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from test_accounts import NEW, as_ada, person_id, set_up

from llmbench.db.owner_reset import NoOwner, make_owner_reset

RESET = "/api/auth/password-reset"


def token_of(path: str) -> str:
    page, _, token = path.partition("#")
    assert page == "/reset-password"
    return token


@pytest.mark.shows("S-34")
async def test_link_of_the_operator_lets_an_owner_in_once(world: World, postgres_url: str, engine: AsyncEngine) -> None:
    owner = await world.owner()
    await set_up(world, owner)
    # An owner of a second organisation, too: no admin could reset this person.
    assert (await owner.post("/api/organisations", {"name": "Second", "slug": "second"})).status_code == 201
    made = await make_owner_reset(postgres_url, " Ada@example.org", second_factor=True)
    assert len(made.organisations) == 2
    token = token_of(made.path)
    async with engine.connect() as connection:
        stored = (await connection.execute(text("SELECT password_reset::text FROM password_reset"))).scalars().all()
    assert len(stored) == 1
    assert token not in stored[0]
    assert (await world.browser().post(RESET, {"token": token, "password": NEW})).status_code == 204
    assert_problem(await owner.get("/api/members"), 401)
    assert_problem(await world.browser().post(RESET, {"token": token, "password": NEW}), 410)
    assert_problem(await world.browser().post("/api/auth/sign-in", as_ada()), 401)
    back = world.browser()
    assert (await back.post("/api/auth/sign-in", as_ada(password=NEW))).status_code == 200
    for org in (await back.session())["organisations"]:
        assert (await back.post("/api/auth/organisation", {"id": org["id"]})).is_success
        entries = (await back.get("/api/audit-log")).json()["items"]
        [entry] = [each for each in entries if (each["action"], each["resource"]) == ("created", "password-reset")]
        assert (entry["person_id"], entry["person_name"]) == (None, "operator")
        assert entry["after"] == {"second_factor": True}


async def test_second_factor_can_be_kept(world: World, postgres_url: str) -> None:
    await set_up(world, await world.owner())
    made = await make_owner_reset(postgres_url, "ada@example.org", second_factor=False)
    assert (await world.browser().post(RESET, {"token": token_of(made.path), "password": NEW})).status_code == 204
    assert_problem(await world.browser().post("/api/auth/sign-in", as_ada(password=NEW)), 401, "code")


async def test_only_owners_are_reset_and_the_refusal_names_them(world: World, postgres_url: str) -> None:
    owner = await world.owner()
    await world.joined(owner, "admin")
    for address in ("bob@example.org", "nobody@example.org", "x' OR true --"):
        with pytest.raises(NoOwner, match=r"owners are ada@example\.org$"):
            await make_owner_reset(postgres_url, address, second_factor=True)


async def test_link_is_void_once_it_is_old_replaced_or_the_person_owns_nothing(
    world: World, postgres_url: str, engine: AsyncEngine
) -> None:
    owner = await world.owner()
    bob = await world.joined(owner, "owner")
    early, late = [
        token_of((await make_owner_reset(postgres_url, "bob@example.org", second_factor=True)).path) for _ in range(2)
    ]
    assert_problem(await world.browser().post(RESET, {"token": early, "password": NEW}), 410)
    path = f"/api/members/{await person_id(bob)}"
    assert (await owner.request("PATCH", path, json={"role": "member"})).status_code == 200
    assert_problem(await world.browser().post(RESET, {"token": late, "password": NEW}), 410)
    third = token_of((await make_owner_reset(postgres_url, "ada@example.org", second_factor=True)).path)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE password_reset SET expires_at = now() - interval '1 second'"))
    assert_problem(await world.browser().post(RESET, {"token": third, "password": NEW}), 410)
    assert (await world.browser().post("/api/auth/sign-in", as_ada(password=PASSWORD))).status_code == 200
