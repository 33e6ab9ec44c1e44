"""Test the comparison of two runs: which of their targets form a pair, the verdict on each pair, and the run's verdict
over all pairs.
"""

from typing import Any
from uuid import UUID

import pytest
from compared_columns import verdicts
from made_runs import Target, cases, made_targets
from run_world import World

SPREAD = [0.6, 0.7, 0.8, 0.9, 0.5]
LOSS = 0.3


def scores(count: int = 120, *, change: float = 0.0) -> list[float | str | None]:
    """Return `count` scores that vary from case to case. `change` raises their mean by this value, but not each score
    by the same amount."""
    return [round(SPREAD[case % 5] + change * (1 + 0.1 * (case % 3 - 1)), 6) for case in range(count)]


def target(label: str, model: str = "gpt", *, change: float = 0.0, count: int = 120, **params: Any) -> Target:
    return Target(cases(scores(count, change=change)), {"label": label, "model": model, "params": params})


@pytest.fixture
async def template(world: World) -> UUID:
    run_id = await world.start("model-a")
    await world.until_status(run_id, "FINISHED")
    return run_id


async def create_run(world: World, template: UUID, name: str, *targets: Target, **more: Any) -> dict[str, str]:
    """Create a copy of the run `template` with other targets. Return ids by name: `run`, and each target's id by its
    label."""
    columns = await made_targets(world, template, targets, name=name, **more)
    labels = [str(each_target.changes["label"]) for each_target in targets]
    ids = [column.split(":") for column in columns]
    return {"run": ids[0][0]} | {label: id_ for label, (_, id_) in zip(labels, ids, strict=True)}


def pairs_of(found: Any) -> list[tuple[str, str, str]]:
    return [
        (
            comparison["columns"][0]["label"],
            comparison["columns"][1]["label"],
            comparison["comparisons"][0]["paired_by"],
        )
        for comparison in found["comparisons"]
    ]


async def test_targets_are_paired_and_each_pair_lists_its_differences(world: World, template: UUID) -> None:
    first = await create_run(
        world, template, "First", target("a"), target("b", "llama", temperature=0), target("gone", "mistral")
    )
    second = await create_run(
        world,
        template,
        "Second",
        target("new", "qwen"),
        target("renamed", "llama", temperature=0),
        target("a", "gpt-next"),
    )
    found = await verdicts(world, {"run_ids": [first["run"], second["run"]]})
    assert pairs_of(found) == [("a", "a", "label"), ("b", "renamed", "model and parameters")]
    assert [comparison["comparisons"][0]["differs"] for comparison in found["comparisons"]] == [
        [{"name": "model", "baseline": "gpt", "here": "gpt-next"}],
        [],
    ]
    assert [(unpaired["run_name"], unpaired["label"], unpaired["reason"]) for unpaired in found["unpaired"]] == [
        ("First", "gone", "no target of 'Second' that is left has its label or its model"),
        ("Second", "new", "no target of 'First' that is left has its label or its model"),
    ]
    (run,) = found["runs"]
    assert (run["run_id"], run["pairs"], run["cases_in_both"], run["regressed"]) == (second["run"], 2, 240, False)
    # Both pairs of targets answer the same cases, so each case is one cluster.
    assert (run["score"]["cases"], run["score"]["clusters"], run["score"]["equal"]) == (240, 120, 240)


async def test_run_has_one_verdict_over_all_its_pairs(world: World, template: UUID) -> None:
    first = await create_run(world, template, "First", target("a"), target("b", "llama"))
    second = await create_run(world, template, "Second", target("a", change=-LOSS), target("b", "llama"))
    found = await verdicts(world, {"run_ids": [first["run"], second["run"]], "margin": 0.05})
    (run,) = found["runs"]
    lost, same = (comparison["comparisons"][0]["score"] for comparison in found["comparisons"])
    assert [lost["verdict"], same["verdict"], run["score"]["verdict"]] == ["worse", "not separable", "worse"]
    assert run["score"]["mean"] == pytest.approx((lost["mean"] + same["mean"]) / 2)
    assert run["score"]["mean_baseline"] == pytest.approx(0.7)
    assert (run["score"]["worse"], run["score"]["equal"], run["regressed"], found["regressed"]) == (
        120,
        120,
        True,
        True,
    )
    # The correction for several pairs makes each pair's interval wider than if the pair were alone.
    assert lost["simultaneous"]["low"] < lost["interval"]["low"]
    # Exchanging the two runs changes only the signs.
    turned = await verdicts(world, {"run_ids": [second["run"], first["run"]]})
    assert turned["runs"][0]["score"]["verdict"] == "better"
    assert turned["runs"][0]["score"]["mean"] == -run["score"]["mean"]


async def test_verdict_of_a_single_pair_is_that_of_the_run(world: World, template: UUID) -> None:
    first = await create_run(world, template, "First", target("a"))
    second = await create_run(world, template, "Second", target("b", "llama", change=-LOSS))
    found = await verdicts(world, {"run_ids": [first["run"], second["run"]]})
    assert pairs_of(found) == [("a", "b", "only targets")]
    assert found["runs"][0]["score"] == found["comparisons"][0]["comparisons"][0]["score"]
    score = found["runs"][0]["score"]
    assert score["interval"] == score["simultaneous"], "nothing else is judged"


async def test_identical_targets_have_to_be_paired_by_the_user(world: World, template: UUID) -> None:
    first = await create_run(world, template, "First", target("a"), target("b"))
    second = await create_run(world, template, "Second", target("x", change=-LOSS), target("y"))
    body: dict[str, Any] = {"run_ids": [first["run"], second["run"]]}
    response = await world.http.post("/v1/benchmarks/compare", json=body)
    assert response.status_code == 422
    detail = response.json()["detail"]
    assert "'a': 'x', 'y' of 'Second' have its model, but neither labels nor parameters tell" in detail
    assert "--pair" in detail

    by_hand = [{"baseline_target_id": first["a"], "target_id": second["y"]}]
    found = await verdicts(world, body | {"pairs": by_hand})
    assert pairs_of(found) == [("a", "y", "hand"), ("b", "x", "model and parameters")]
    assert found["unpaired"] == []
    gated = await verdicts(world, body | {"pairs": by_hand, "gate": {"metric": "score", "margin": 0.1}})
    assert [(pair["label"], pair["state"]) for pair in gated["gate"]["pairs"]] == [("y", "fine"), ("x", "worse")]

    choice = by_hand[0]
    for pairs, words in (
        ([choice | {"target_id": first["a"]}], f"'Second' has no target {first['a']}: it has 'x'"),
        ([choice, choice | {"target_id": second["x"]}], "'a' of 'First' is in two pairs"),
        ([choice, {"baseline_target_id": first["b"], "target_id": second["y"]}], "'y' of 'Second' is in two pairs"),
    ):
        response = await world.http.post("/v1/benchmarks/compare", json=body | {"pairs": pairs})
        assert (response.status_code, words in response.json()["detail"]) == (422, True), response.text
    columns = [{"run_id": first["run"], "target_id": first[label]} for label in ("a", "b")]
    response = await world.http.post("/v1/benchmarks/compare", json={"columns": columns, "pairs": by_hand})
    assert response.status_code == 422


async def test_several_runs_are_compared_in_the_targets_they_share(world: World, template: UUID) -> None:
    first = await create_run(world, template, "First", target("a"), target("b", "llama"))
    second = await create_run(world, template, "Second", target("a", change=-LOSS), target("b", "llama"))
    third = await create_run(world, template, "Third", target("a"), target("c", "mistral"))
    found = await verdicts(world, {"run_ids": [first["run"], second["run"], third["run"]]})
    assert [[column["label"] for column in comparison["columns"]] for comparison in found["comparisons"]] == [
        ["a", "a", "a"]
    ]
    assert [(unpaired["run_name"], unpaired["label"]) for unpaired in found["unpaired"]] == [
        ("First", "b"),
        ("Second", "b"),
        ("Third", "c"),
    ]
    assert "has none in another run" in found["unpaired"][1]["reason"]
    assert [(run["run_name"], run["score"]["verdict"]) for run in found["runs"]] == [
        ("Second", "worse"),
        ("Third", "not separable"),
    ]


async def test_pair_with_lost_answers_leaves_the_run_without_a_verdict(world: World, template: UUID) -> None:
    first = await create_run(world, template, "First", target("a"), target("b", "llama"), target("c", "mistral"))
    lost = Target(cases(["unavailable"] * 30 + scores(120)[30:]), {"label": "c", "model": "mistral"})
    second = await create_run(world, template, "Second", target("a", change=-LOSS), target("b", "llama"), lost)
    (run,) = (await verdicts(world, {"run_ids": [first["run"], second["run"]]}))["runs"]
    assert (run["score"]["verdict"], run["coverage"]) == ("low coverage", 0.75)


async def test_unfinished_run_has_no_verdict_over_its_pairs(world: World, template: UUID) -> None:
    first = await create_run(world, template, "First", target("a"), target("b", "llama"))
    second = await create_run(world, template, "Second", target("a"), target("b", "llama"), status="RUNNING")
    (run,) = (await verdicts(world, {"run_ids": [first["run"], second["run"]]}))["runs"]
    assert (run["score"]["verdict"], run["score"]["interval"]) == (None, None)
    assert "'Second' is running" in run["withheld"]


async def test_comparison_of_a_run_with_itself_is_refused(world: World, template: UUID) -> None:
    response = await world.http.post("/v1/benchmarks/compare", json={"run_ids": [str(template), str(template)]})
    assert response.status_code == 422
    assert "llmbench gate check" in response.json()["detail"]
