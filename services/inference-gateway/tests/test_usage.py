"""Test that each call adds to the usage of its day, person and model exactly once."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from gateway_world import World

from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.provider import ModelPrice
from llmbench.ids import new_id
from llmbench.organisation import working_for

pytestmark = pytest.mark.never_rerun

NOBODY = UUID(int=0)
PRICE = ModelPrice(model="mock-0ms", input_usd_per_million=1000, output_usd_per_million=1000)


async def usage(world: World) -> list[dict[str, Any]]:
    rows = await world.db.fetch("SELECT * FROM usage_of_day ORDER BY org_id, person_id, model")
    return [dict(row) for row in rows]


async def test_call_is_counted_once_although_its_command_is_repeated(world: World) -> None:
    priced = world.provider.model_copy(update={"prices": (PRICE,)})
    async with world.gateway():
        first, unpriced = world.command(provider=priced), world.command(purpose=Purpose.WARM_UP, item_id=None)
        finished = await world.ask(first)
        await world.ask(unpriced)
        await world.send(first)
        await world.finished(first.call_id, number=2)
    (row,) = await usage(world)
    paid = finished.outcome
    assert paid.kind == "answered"
    assert paid.cost is not None
    assert row["cost_usd"] == pytest.approx(paid.cost.usd)
    assert (row["person_id"], row["model"], row["calls"], row["unpriced_calls"]) == (NOBODY, "mock-0ms", 2, 1)
    assert (row["items"], row["prompt_tokens"] > 0, row["completion_tokens"] > 0) == (1, True, True)
    days = await world.db.fetch("SELECT DISTINCT (finished_at AT TIME ZONE 'UTC')::date AS day FROM model_call")
    assert row["day"] in {each["day"] for each in days}


async def test_reused_answer_counts_as_an_item_without_a_call(world: World) -> None:
    async with world.gateway():
        for _ in range(2):
            await world.ask(world.command(use_cache=True))
        await world.ask(world.release("mock-0ms", world.provider))
    (row,) = await usage(world)
    assert (row["calls"], row["items"]) == (1, 2)


async def test_usage_belongs_to_the_organisation_and_creator_of_the_run(world: World) -> None:
    ada, other = new_id(), await world.add_organisation()
    await world.db.execute("UPDATE run SET created_by = $1 WHERE id = $2", ada, world.run_id)
    foreign = await world.add_provider(org_id=other)
    async with world.gateway():
        mine = [world.command(model) for model in ("mock-0ms", "mock-40ms-think")]
        await asyncio.gather(*(world.ask(command) for command in mine))
        with working_for(other):
            await world.ask(world.command(provider=foreign, run_id=await world.add_run(other)))
    rows = {(row["org_id"] == other, row["person_id"], row["model"]): row["calls"] for row in await usage(world)}
    assert rows == {
        (False, ada, "mock-0ms"): 1,
        (False, ada, "mock-40ms-think"): 1,
        (True, NOBODY, "mock-0ms"): 1,
    }
