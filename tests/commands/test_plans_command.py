"""Test `llmbench plans` on a real database, as the operator uses it."""

import json

import pytest

from tests.commands.process import Llmbench


@pytest.fixture
def operator(postgres_url: str) -> Llmbench:
    return Llmbench("http://127.0.0.1:9", {"LLMBENCH_DATABASE_URL": postgres_url})


async def test_operator_changes_a_plan_and_gives_it(operator: Llmbench) -> None:
    changed = await operator("plans", "set", "starter", "--members", "12", "--runs-a-day", "none")
    assert (changed.code, changed.out) == (0, "STARTER: runs_a_day no limit, members 12\n"), changed.err
    given = await operator("plans", "give", "default", "STARTER")
    assert (given.code, given.out) == (0, "default has the plan STARTER\n"), given.err
    plans = {plan["name"]: plan for plan in json.loads((await operator("plans", "list", "--json")).out)}
    assert (plans["STARTER"]["members"], plans["STARTER"]["runs_a_day"]) == (12, None)
    assert plans["STARTER"]["organisations"] == ["default"]
    table = await operator("plans", "list")
    assert "PROFESSIONAL" in table.out
    assert "no limit" in table.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("set", "GOLD", "--members", "1"), "there is no plan 'GOLD'; there are ENTERPRISE, FREE"),
        (("set", "FREE", "--members", "0"), "must be at least 1"),
        (("set", "FREE", "--members", "many"), "is no number"),
        (("set", "FREE"), "name at least one limit"),
        (("give", "elsewhere", "FREE"), "there is no organisation 'elsewhere'; there are default"),
    ],
)
async def test_impossible_change_is_refused_with_what_is_possible(
    operator: Llmbench, arguments: tuple[str, ...], says: str
) -> None:
    refused = await operator("plans", *arguments)
    assert refused.code != 0
    assert says in " ".join(refused.err.replace("│", " ").split())
