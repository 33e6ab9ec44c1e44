"""Compare a run's statistics, as the API returns them, with statistics that the test computes from its items."""

from typing import Any
from uuid import UUID

import pytest
from run_world import World

from tests.recount import recount


async def compare(world: World, run_id: UUID) -> None:
    run = (await world.http.get(f"/api/runs/{run_id}")).json()
    wanted = await recount(world.engine, run_id)
    same(run["totals"], wanted["totals"])
    assert {one["target_id"] for one in run["results"]} == set(wanted["results"])
    assert [one["category"] for one in run["categories"]] == sorted(wanted["categories"])
    for result in run["results"]:
        same(result, wanted["results"][result["target_id"]])
    for category in run["categories"]:
        same(category, wanted["categories"][category["category"]])
    evaluators = {
        (evaluator["revision_id"], ""): evaluator for evaluator in run["evaluators"] if evaluator["asked"]
    } | {
        (evaluator["revision_id"], target["target_id"]): target
        for evaluator in run["evaluators"]
        for target in evaluator["targets"]
    }
    assert evaluators.keys() == wanted["evaluators"].keys()
    for key, found in evaluators.items():
        same(found, wanted["evaluators"][key])
    listed = (await world.http.get("/api/runs")).json()["items"][0]
    for found in (listed["mean_score"], run["mean_score"]):
        assert found == pytest.approx(wanted["totals"]["mean_score"])


def same(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, value in wanted.items():
        if isinstance(value, dict):
            assert found[name].keys() == value.keys(), name
            same(found[name], value)
        else:
            assert found[name] == pytest.approx(value), name
