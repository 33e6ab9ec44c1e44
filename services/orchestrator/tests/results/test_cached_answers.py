"""Test that cached answers, which cost nothing, count neither in the cost of an answer nor in a model's pace."""

from uuid import UUID

import pytest
from made_runs import Case, made_run
from run_world import World, answered

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Cost, Outcome
from orchestrator.experiments.adapters.paces import read_paces
from orchestrator.suites.adapters.suite_queries import SuiteQueries

PAID, FREE, UNPRICED = (Case([1.0], cost_usd=cost) for cost in (0.1, 0.0, None))
CACHED, CACHED_UNPRICED = (Case([1.0], cost_usd=cost, cached=True) for cost in (0.0, None))


@pytest.mark.parametrize(
    ("cases", "priced", "cost_usd"),
    [
        ([PAID, PAID, CACHED, CACHED, CACHED, CACHED_UNPRICED], 2, 0.2),
        ([FREE, CACHED], 1, 0.0),
        ([CACHED, CACHED_UNPRICED], 0, 0.0),
        ([UNPRICED, CACHED], 0, None),
        ([UNPRICED], 0, None),
    ],
)
async def test_cost_is_that_of_the_priced_answers_and_cached_ones_are_not_among_them(
    world: World, cases: list[Case], priced: int, cost_usd: float | None
) -> None:
    template = await world.start("model-a")
    await world.until_status(template, "FINISHED")
    run_id = (await made_run(world, template, cases, name="Copy")).partition(":")[0]
    run = (await world.http.get(f"/api/runs/{run_id}", params={"include": "tasks"})).json()
    (of_target,) = run["results"]
    for figures in (run["totals"], of_target):
        assert (figures["priced"], figures["cost_usd"]) == (priced, pytest.approx(cost_usd)), figures
    assert sum(task["priced"] for task in run["tasks"]) == priced


async def test_run_whose_answers_were_cached_does_not_change_the_pace_of_its_model(world: World) -> None:
    cost = Cost(usd=0.25, source="own_price")

    async def paid(_: GenerateCompletion) -> Outcome:
        return answered().model_copy(update={"cost": cost})

    async def cached(_: GenerateCompletion) -> Outcome:
        return answered().model_copy(update={"cost": cost.model_copy(update={"usd": 0.0}), "cached": True})

    paces = []
    for answer in (paid, cached):
        world.answer = answer
        run_id = await world.start("model-a")
        await world.until_status(run_id, "FINISHED")
        run = (await world.http.get(f"/api/runs/{run_id}")).json()
        model = (UUID(run["targets"][0]["provider_id"]), "model-a")
        async with world.engine.connect() as connection:
            pace = (await read_paces(connection, [model], judging=False))[model]
        measured = (await SuiteQueries(world.engine).measured([model]))[model]
        paces.append((pace, measured))
        assert (pace.cost_usd, measured.cost_per_answer_usd) == (0.25, 0.25)
    assert paces[0] == paces[1]
