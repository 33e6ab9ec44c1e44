"""Compare a run's statistics, as the API returns them, with statistics that the test computes from its items."""

from typing import Any
from uuid import UUID

import pytest
from run_world import World

from tests.recount import recount


async def compare(world: World, run_id: UUID) -> None:
    """Assert that the API returns the statistics that a recount of the run's stored rows gives."""
    run = (await world.http.get(f"/api/runs/{run_id}")).json()
    recounted = await recount(world.engine, run_id)
    assert_same(run["totals"], recounted["totals"])
    assert {one["target_id"] for one in run["results"]} == set(recounted["results"])
    assert [one["category"] for one in run["categories"]] == sorted(recounted["categories"])
    for result in run["results"]:
        assert_same(result, recounted["results"][result["target_id"]])
    for category in run["categories"]:
        assert_same(category, recounted["categories"][category["category"]])
    evaluators = {
        (evaluator["revision_id"], ""): evaluator for evaluator in run["evaluators"] if evaluator["asked"]
    } | {
        (evaluator["revision_id"], target["target_id"]): target
        for evaluator in run["evaluators"]
        for target in evaluator["targets"]
    }
    assert evaluators.keys() == recounted["evaluators"].keys()
    for key, found in evaluators.items():
        assert_same(found, recounted["evaluators"][key])
    listed = (await world.http.get("/api/runs")).json()["items"][0]
    for found in (listed["mean_score"], run["mean_score"]):
        assert found == pytest.approx(recounted["totals"]["mean_score"])


def assert_same(found: dict[str, Any], recounted: dict[str, Any]) -> None:
    """Assert that `found` has the values of `recounted`, except for rounding. `found` may have more keys."""
    for name, value in recounted.items():
        if isinstance(value, dict):
            assert found[name].keys() == value.keys(), name
            assert_same(found[name], value)
        else:
            assert found[name] == pytest.approx(value), name
