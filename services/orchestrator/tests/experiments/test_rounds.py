"""Test the rounds of experiments on real servers. A round asks the next cases of all variants. After each round, an
experiment is analysed, and it may stop, pause or conclude.
"""

import pytest
from experiment_world import ExperimentWorld
from run_world import World, running_orchestrator

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Outcome

pytestmark = pytest.mark.never_rerun


@pytest.fixture
def experiments(world: World) -> ExperimentWorld:
    return ExperimentWorld(world)


async def test_experiment_stops_by_itself_when_it_is_decided(
    experiments: ExperimentWorld, postgres_url: str, nats_url: str
) -> None:
    collection = await experiments.add_cases(60)
    experiments.score_models({"model-a": 2, "model-b": 9})
    created = await experiments.create(collection, config={"round_size": 10, "maximum_sample_size": 60})
    # A second orchestrator leads the same experiment, and makes no second run of a round.
    async with running_orchestrator(postgres_url, nats_url):
        await experiments.command(created, "start")
        stopped = await experiments.until(created, lambda each: each["stopped"] is not None)
    assert (stopped["status"], stopped["stopped"]["rule"]) == ("PAUSED", "decided")
    done, calls = stopped["progress"]["done"], experiments.calls()
    assert done < 60
    assert calls == {"model-a": done, "model-b": done}
    assert stopped["progress"]["saved_share"] == pytest.approx(1 - done / 60, abs=1e-4)
    rounds = (await experiments.get(created, "rounds"))["rounds"]
    assert [each["number"] for each in rounds] == list(range(1, done // 10 + 1))
    assert len({each["run_id"] for each in rounds}) == len(rounds)
    assert await experiments.run_count() == len(rounds)
    listed = await experiments.world.http.get("/v1/evaluations", params={"experiment_id": created["experiment_id"]})
    assert {each["run_id"] for each in listed.json()["runs"]} == {each["run_id"] for each in rounds}
    results = await experiments.get(created, "results")
    winner = next(each for each in results["variants"] if each["name"] == "better")
    assert results["analysis"]["winner"] == winner["variant_id"]
    assert winner["metrics"]["primary"]["mean"] == pytest.approx(0.9)
    looks = await experiments.get(created, "looks")
    assert [look["done"] for look in looks["looks"]] == list(range(10, done + 1, 10))
    assert [look["analysis"]["winner"] for look in looks["looks"][:-1]] == [None] * (looks["total"] - 1)
    cases = await experiments.get(created, "cases", limit=3)
    assert cases["total"] == done
    assert cases["cases"][0]["difference"] == pytest.approx(0.7)
    assert (await experiments.post(created, "resume")).status_code == 409
    changed = {"name": "Renamed", "notes": "Seen."}
    assert (await experiments.replace(created, **changed)).json()["name"] == "Renamed"
    refused = await experiments.replace(created, config={"round_size": 20, "maximum_sample_size": 60})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (409, "config")
    concluded = await experiments.command(created, "conclude", winner=winner["variant_id"], notes="Ship it.")
    assert (concluded["status"], concluded["conclusion"]["winner_name"]) == ("CONCLUDED", "better")
    assert (await experiments.post(created, "conclude", winner="no_winner")).status_code == 409
    record = await experiments.world.http.get(f"{experiments.path(created)}/record")
    assert "**winner better**" in record.text
    assert experiments.calls() == calls
    assert (await experiments.command(created, "archive"))["status"] == "ARCHIVED"


async def test_rounds_are_paused_repeated_and_dropped(experiments: ExperimentWorld) -> None:
    collection = await experiments.add_cases(12)
    experiments.score_models({"model-a": 5, "model-b": 5})
    go_on = experiments.hold_answers()
    created = await experiments.create(collection, config={"round_size": 4, "maximum_sample_size": 12})
    await experiments.command(created, "start")
    await experiments.world.eventually(experiments.asked)
    paused = await experiments.command(created, "pause")
    assert (paused["status"], paused["status_reason"]) == ("PAUSED", "paused by a user")
    go_on.set()
    first = await experiments.until_round(created, lambda each: each["run_status"] == "PAUSED")
    await experiments.command(created, "resume")
    await experiments.until(created, lambda each: each["progress"]["looks"] >= 1)

    go_on = experiments.hold_answers()
    second = await experiments.until_round(created, lambda each: each["number"] > first["number"] and each["run_id"])
    await experiments.world.http.post(f"/api/runs/{second['run_id']}/cancel")
    failed = await experiments.until(created, lambda each: each["status"] == "PAUSED")
    assert "its run was cancelled" in failed["status_reason"]
    await experiments.command(created, "resume")
    again = await experiments.until_round(created, lambda each: each["attempt"] == 2 and each["run_id"])
    assert (again["number"], again["cases"]) == (second["number"], second["cases"])
    concluded = await experiments.command(created, "conclude", winner="no_winner")
    assert concluded["conclusion"]["winner"] == "no_winner"
    dropped = await experiments.until_round(created, lambda each: each["status"] == "DROPPED")
    assert dropped["round_id"] == again["round_id"]
    go_on.set()
    assert (await experiments.world.until_status(again["run_id"], "CANCELLED"))["status"] == "CANCELLED"
    assert (await experiments.get(created, "looks"))["total"] == concluded["progress"]["looks"]


async def test_split_rounds_give_each_case_one_variant(experiments: ExperimentWorld) -> None:
    collection = await experiments.add_cases(40)
    experiments.score_models({"model-a": 5, "model-b": 5})
    split = {"design": "split", "method": "frequentist", "maximum_sample_size": 20}
    created = await experiments.create(collection, config=split)
    await experiments.command(created, "start")
    stopped = await experiments.until(created, lambda each: each["stopped"] is not None)
    assert stopped["stopped"]["rule"] in ("planned", "futile")
    counts = [variant["sample_count"] for variant in stopped["variants"]]
    assert sum(counts) == sum(experiments.calls().values()) == 40
    assert min(counts) > 5
    results = await experiments.get(created, "results")
    assert results["analysis"]["sample_ratio"]["mismatch"] is False
    assert (await experiments.world.http.get(f"{experiments.path(created)}/cases")).status_code == 409

    bandit = {"round_size": 10, "maximum_sample_size": 20, "seed": 3}
    experiments.score_models({"model-a": 1, "model-b": 9})
    created = await experiments.create(collection, name="Bandit", type="MULTI_ARM_BANDIT", config=bandit)
    await experiments.command(created, "start")
    stopped = await experiments.until(created, lambda each: each["stopped"] is not None)
    control, better = (variant["sample_count"] for variant in stopped["variants"])
    assert control + better == 40
    assert better > control


async def test_first_plan_stays_and_counts_what_the_judge_costs(experiments: ExperimentWorld) -> None:
    collection = await experiments.add_cases(24)
    experiments.score_models({"model-a": 5, "model-b": 5})
    config = {"round_size": 8, "maximum_sample_size": 24}
    calls = {"concurrency": 2}
    judge = {"provider_id": str(experiments.world.provider_id), "model": "judge"}
    guess = await experiments.plan(collection, config=config, calls=calls)
    assert (guess["planned"], guess["calls"], guess["judge_calls"], guess["cost_usd"]) == (24, 48, 48, None)
    assert any("verdicts of judge" in warning for warning in guess["warnings"])
    program = [{"kind": "contains", "params": {"texts": ["42"]}}]
    assert (await experiments.plan(collection, config=config, evaluators=program))["judge_calls"] == 0
    panel = {"judges": [judge, {**judge, "model": "judge-2"}]}
    assert (await experiments.plan(collection, config=config, judge=None, panel=panel))["judge_calls"] == 96

    created = await experiments.create(collection, config=config, calls=calls)
    await experiments.command(created, "start")
    stopped = await experiments.until(created, lambda each: each["stopped"] is not None)
    assert stopped["progress"]["planned"] == 24
    looks = (await experiments.get(created, "looks"))["looks"]
    assert [look["planned"] for look in looks] == [24] * len(looks)
    # Later results change neither the planned sample nor the horizon of the bets.
    assert (await experiments.get(created))["progress"]["planned"] == 24
    known = await experiments.plan(collection, config=config, calls=calls)
    slower = await experiments.plan(collection, config=config, calls={"concurrency": 1})
    assert known["variants"][0]["seconds_per_call"] is not None
    assert slower["duration_s"] == pytest.approx(2 * known["duration_s"])
    assert known["duration_s"] > 24 * sum(variant["seconds_per_call"] for variant in known["variants"]) / 2


async def test_failing_models_pause_the_experiment_with_the_reason(experiments: ExperimentWorld) -> None:
    collection = await experiments.add_cases(4)
    created = await experiments.create(
        collection,
        variants=[experiments.variant("control", "model-x", is_control=True), experiments.variant("better", "model-b")],
    )
    refused = await experiments.post(created, "start")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "variants.0.config.model.name")

    async def answer(_: GenerateCompletion) -> Outcome:
        return experiments.rejected()

    experiments.world.answer = answer
    created = await experiments.create(collection, name="Rejected")
    await experiments.command(created, "start")
    paused = await experiments.until(created, lambda each: each["status"] == "PAUSED")
    assert paused["status_reason"].startswith("round 1: its run failed")
    assert paused["progress"]["looks"] == 0
