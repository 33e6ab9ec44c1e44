"""Test the rounds of experiments against real servers: what is asked, looked at, stopped, paused and concluded."""

import pytest
from experiment_world import ExperimentWorld
from run_world import World

pytestmark = pytest.mark.never_rerun


@pytest.fixture
def experiments(world: World) -> ExperimentWorld:
    return ExperimentWorld(world)


async def test_experiment_stops_by_itself_when_it_is_decided(experiments: ExperimentWorld) -> None:
    collection = await experiments.add_cases(60)
    experiments.score_models({"model-a": 2, "model-b": 9})
    created = await experiments.create(collection, config={"round_size": 10, "maximum_sample_size": 60})
    await experiments.command(created, "start")
    stopped = await experiments.until(created, lambda each: each["stopped"] is not None)
    assert (stopped["status"], stopped["stopped"]["rule"]) == ("PAUSED", "decided")
    done, calls = stopped["progress"]["done"], experiments.calls()
    assert done < 60
    assert calls == {"model-a": done, "model-b": done}
    assert stopped["progress"]["saved_share"] == pytest.approx(1 - done / 60, abs=1e-4)
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
    concluded = await experiments.command(created, "conclude", winner=winner["variant_id"], notes="Ship it.")
    assert (concluded["status"], concluded["conclusion"]["winner_name"]) == ("CONCLUDED", "better")
    twice = await experiments.post(created, "conclude", winner="no_winner")
    assert twice.status_code == 409
    record = await experiments.world.http.get(f"{experiments.path(created)}/record")
    assert "**winner better**" in record.text
    assert experiments.calls() == calls
