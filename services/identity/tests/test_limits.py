"""Test the limits of plans, such as that of members, and the settings of an organisation. Changes are made over HTTP
and as the operator."""

import asyncio

import pytest
from identity_world import PASSWORD, Browser, World, assert_problem

from llmbench.db.plans import UnknownPlan, change_plan, give_plan, list_plans

SETTINGS = {"cost_budget_monthly_usd": 12.5, "default_evaluators": ["exact_match"], "data_retention_days": 30}


async def accepted(world: World, token: str, name: str) -> int:
    body = {"token": token, "email": f"{name}@example.org", "name": name, "password": PASSWORD}
    return (await world.browser().post("/api/auth/invitations/accept", body)).status_code


async def invitations(owner: Browser, count: int) -> list[str]:
    return [(await owner.post("/api/invitations", {"role": "viewer"})).json()["token"] for _ in range(count)]


async def test_operators_organisation_has_no_limits_and_a_new_one_those_of_free(world: World) -> None:
    owner = await world.owner()
    first = (await owner.get("/api/organisations/current")).json()
    assert first["plan"] == "ENTERPRISE"
    assert set(first["limits"].values()) == {None}
    second = (await owner.post("/api/organisations", {"name": "Second", "slug": "second"})).json()
    assert (second["plan"], second["limits"]["members"]) == ("FREE", 3)


async def test_members_and_open_invitations_stay_within_the_plan(world: World, postgres_url: str) -> None:
    owner = await world.owner()
    await change_plan(postgres_url, "ENTERPRISE", {"members": 3})
    await invitations(owner, 2)
    refused = assert_problem(await owner.post("/api/invitations", {"role": "viewer"}), 403)
    assert "allows 3 members; there are 1 and 2 open invitations" in refused["detail"]
    assert (refused["type"], refused["plan"]) == ("plan-limit", "ENTERPRISE")


async def test_lowered_limit_holds_for_invitations_that_were_sent_before(world: World, postgres_url: str) -> None:
    owner = await world.owner()
    (token,) = await invitations(owner, 1)
    await change_plan(postgres_url, "ENTERPRISE", {"members": 1})
    assert await accepted(world, token, "bob") == 403
    await change_plan(postgres_url, "ENTERPRISE", {"members": None})
    assert await accepted(world, token, "bob") == 201


async def test_people_who_accept_at_once_take_no_place_twice(world: World, postgres_url: str) -> None:
    owner = await world.owner()
    tokens = await invitations(owner, 4)
    await change_plan(postgres_url, "ENTERPRISE", {"members": 3})
    answers = await asyncio.gather(*(accepted(world, token, f"person{at}") for at, token in enumerate(tokens)))
    assert sorted(answers) == [201, 201, 403, 403]


async def test_owner_changes_settings_one_by_one(world: World) -> None:
    owner = await world.owner()
    path = "/api/organisations/current"
    body = {"billing_email": "Bills@example.org", "settings": SETTINGS}
    changed = (await owner.request("PATCH", path, json=body)).json()
    assert changed["settings"] == SETTINGS
    assert changed["billing_email"] == "bills@example.org"
    changed = (await owner.request("PATCH", path, json={"settings": {"cost_budget_monthly_usd": None}})).json()
    assert changed["settings"] == {**SETTINGS, "cost_budget_monthly_usd": None}
    entry = (await owner.get("/api/audit-log")).json()["items"][0]
    assert entry["before"]["settings"] == SETTINGS
    assert "cost_budget_monthly_usd" not in entry["after"]["settings"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"cost_budget_monthly_usd": -1}, "settings.cost_budget_monthly_usd"),
        ({"data_retention_days": 0}, "settings.data_retention_days"),
        ({"default_evaluators": ["no such thing!"]}, "settings.default_evaluators.0"),
        ({"plan": "ENTERPRISE"}, "settings.plan"),
    ],
)
async def test_impossible_setting_is_refused_by_name(world: World, wrong: dict[str, object], field: str) -> None:
    owner = await world.owner()
    answer = await owner.request("PATCH", "/api/organisations/current", json={"settings": wrong})
    assert_problem(answer, 422, field)


async def test_operator_lists_changes_and_gives_plans(postgres_url: str) -> None:
    await give_plan(postgres_url, "default", "STARTER")
    await change_plan(postgres_url, "STARTER", {"members": None, "runs_a_day": 7})
    plans = {plan.name: plan for plan in await list_plans(postgres_url)}
    assert list(plans) == ["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"]
    starter = plans["STARTER"]
    assert (starter.members, starter.runs_a_day, list(starter.organisations)) == (None, 7, ["default"])
    with pytest.raises(UnknownPlan, match="there are ENTERPRISE, FREE"):
        await change_plan(postgres_url, "GOLD", {"members": 1})
    with pytest.raises(UnknownPlan, match="there are default"):
        await give_plan(postgres_url, "elsewhere", "FREE")
