"""Test that the verdict on two runs of a suite weighs the tasks as the score of the suite does.

In the tests with the mock provider, model-a solves the one task and model-b the other, so every figure is known. In the
simulation, a change loses as much in one task as it gains in the other. The score of the suite stays, but the mean over
all cases does not.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from run_versions import a_case, insert_version
from run_world import World, answered, contained
from scipy.stats import binom
from suite_runs import CONTAINS, a_task, insert_suite, started, version_of

from llmbench.contracts.answer_scored import Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome
from llmbench.contracts.suite import Aggregation
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.suites import ScoredSuite, ScoredTask, shared_weights, weigh_alike, weights_of
from orchestrator.comparison.domain.verdicts import Verdict as Found
from orchestrator.comparison.domain.verdicts import verdicts

_REPLICATIONS, _LARGE, _SMALL = 300, 150, 50


async def by_model(command: GenerateCompletion) -> Outcome:
    return answered(command.request.model)


async def solved(command: JudgeAnswer) -> Verdict:
    """Judge that model-a solves the cases of `sums`, model-b those of `words`, and model-c all."""
    of_model = {"model-a": ("sums",), "model-b": ("words",), "model-c": ("sums", "words")}
    return contained(command.case.task_id.startswith(of_model[command.answer]))


async def ran(world: World, suite_id: UUID, *models: str, **more: Any) -> str:
    run_id = await started(world, suite_id, *models, check_providers=False, **more)
    await world.until_status(run_id, "FINISHED")
    return str(run_id)


async def compared(world: World, *run_ids: str, **more: Any) -> dict[str, Any]:
    response = await world.http.post("/v1/benchmarks/compare", json={"run_ids": list(run_ids)} | more)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def two_tasks(world: World, *, sums: int = 10, words: int = 30) -> list[dict[str, Any]]:
    """Return the tasks `sums` (weight 3) and `words` (weight 1) of a suite, with their numbers of cases."""
    return [
        a_task("sums", await version_of(world, "Sums", sums), weight=3),
        a_task("words", await version_of(world, "Words", words), weight=1),
    ]


async def suite_of(world: World, **more: int) -> UUID:
    return await insert_suite(world, *await two_tasks(world, **more), aggregation="weighted")


async def test_verdict_weighs_the_tasks_as_the_suite_and_its_gate_do(world: World) -> None:
    world.answer, world.judge = by_model, solved
    suite_id = await suite_of(world)
    one, other, third = [await ran(world, suite_id, model) for model in ("model-a", "model-b", "model-c")]
    found = await compared(world, one, other, gate={"metric": "score", "margin": 0.3, "force": True})
    (pair,) = found["comparisons"][0]["comparisons"]
    score = pair["score"]
    assert (score["mean_baseline"], score["mean_here"], score["mean"]) == (0.75, 0.25, -0.5)
    assert (score["cases"], score["clusters"], score["better"], score["worse"]) == (40, 40, 30, 10)
    assert score["verdict"] == "worse"
    (gated,) = found["gate"]["pairs"]
    assert [gated[name] for name in ("mean", "mean_here", "mean_baseline", "clusters")] == [-0.5, 0.25, 0.75, 40]
    assert [model["overall_score"] for model in found["models"]] == [0.75, 0.25]
    assert found["winner"] == one
    assert pair["weighting"] == "The tasks count as in the score of 'Nightly' v2: by their weights."
    assert pair["passes"]["rate_difference"] == 0.5, "pass rates count cases"
    # Over the cases alone, model-b would be better by half.
    (run,) = found["runs"]
    assert (run["score"], run["weighting"]) == (score, pair["weighting"])
    columns = [f"{column['run_id']}:{column['target_id']}" for column in found["comparisons"][0]["columns"]]
    shown = (await world.http.get("/api/comparisons", params={"column": columns})).json()
    assert shown["comparisons"][0]["score"] == score
    report = (await world.http.get("/api/comparisons/report", params={"column": columns})).text
    assert "is worse than" in report
    assert "The tasks count as in the score of" in report
    best = await compared(world, one, other, third)
    assert best["winner"] == third


@pytest.mark.parametrize(("aggregation", "mean"), [("mean", 0.0), ("macro", 0.0), ("weighted", -0.5)])
async def test_verdict_follows_the_aggregation(world: World, aggregation: str, mean: float) -> None:
    world.answer, world.judge = by_model, solved
    suite_id = await insert_suite(world, *await two_tasks(world), aggregation=aggregation)
    found = await compared(world, await ran(world, suite_id, "model-a"), await ran(world, suite_id, "model-b"))
    assert found["comparisons"][0]["comparisons"][0]["score"]["mean"] == mean


async def test_pairs_of_targets_are_pooled_with_their_tasks_weighed(world: World) -> None:
    world.answer, world.judge = by_model, solved
    suite_id = await suite_of(world)
    before, after = [await ran(world, suite_id, *models) for models in (("model-a", "model-c"), ("model-b", "model-c"))]
    runs = [(await world.http.get(f"/api/runs/{run_id}")).json() for run_id in (before, after)]
    pairs = [[target["id"] for target in run["targets"]] for run in runs]
    by_hand = [{"baseline_target_id": here, "target_id": there} for here, there in zip(*pairs, strict=True)]
    found = await compared(world, before, after, pairs=by_hand)
    means = [comparison["comparisons"][0]["score"]["mean"] for comparison in found["comparisons"]]
    (run,) = found["runs"]
    assert (means, run["score"]["mean"]) == ([-0.5, 0.0], -0.25)
    assert (run["score"]["mean_baseline"], run["score"]["mean_here"]) == (0.875, 0.625)
    assert (run["score"]["cases"], run["score"]["clusters"]) == (80, 40), "pairs share their cases"


async def test_suites_that_weigh_otherwise_count_cases_and_say_so(world: World) -> None:
    world.answer, world.judge = by_model, solved
    tasks = await two_tasks(world)
    suite_id = await insert_suite(world, *tasks, aggregation="weighted")
    first = await ran(world, suite_id, "model-a")
    reweighed = await insert_suite(world, {**tasks[0], "weight": 2}, tasks[1], aggregation="weighted", version_number=3)
    found = await compared(world, first, await ran(world, reweighed, "model-b"))
    (pair,) = found["comparisons"][0]["comparisons"]
    assert (pair["score"]["mean"], pair["score"]["verdict"]) == (0.5, "better")
    assert pair["weighting"] == (
        "Each case counts equally, because 'Nightly' v3 and 'Nightly' v2 do not weigh the same tasks in the same way."
    )
    same = await insert_suite(world, *tasks, aggregation="weighted", version_number=4)
    found = await compared(world, first, await ran(world, same, "model-b"))
    (pair,) = found["comparisons"][0]["comparisons"]
    assert pair["score"]["mean"] == -0.5, "another version with the same tasks and weights weighs alike"
    # One request may hold a pair that weighs tasks, and one that does not.
    mixed = await compared(world, first, await ran(world, reweighed, "model-b"), await ran(world, suite_id, "model-b"))
    assert [each["score"]["mean"] for each in mixed["comparisons"][0]["comparisons"]] == [0.5, -0.5]


async def test_task_that_lost_its_answers_leaves_the_suite_without_a_verdict(world: World) -> None:
    world.answer, world.judge = by_model, solved
    suite_id = await suite_of(world, sums=2, words=40)
    first = await ran(world, suite_id, "model-a")

    async def losing(command: JudgeAnswer) -> Verdict:
        if command.case.task_id == "sums/0":
            return Unparsed(problem="no verdict", raw_text="Hm.")
        return await solved(command)

    world.judge = losing
    found = await compared(world, first, await ran(world, suite_id, "model-b"))
    (pair,) = found["comparisons"][0]["comparisons"]
    assert (pair["score"]["verdict"], pair["coverage"], pair["least_covered"]) == ("low coverage", 0.5, "sums")
    assert "Only 1 of the 2 cases of the task 'sums' that" in found["winner_reason"]


async def test_task_that_a_gate_skipped_in_both_runs_does_not_count(world: World) -> None:
    """Model-a fails the task `words`, so the gate of the task `proofs` skips `proofs`."""
    world.answer, world.judge = by_model, solved
    tasks = await two_tasks(world)
    gate = [{"task": "words", "min_score": 0.5}]
    proofs = a_task("proofs", await version_of(world, "Proofs", 4), gate=gate, evaluators=[CONTAINS])
    sums, words = ({**task, "evaluators": [CONTAINS]} for task in tasks)
    suite_id = await insert_suite(world, sums, words, proofs, aggregation="weighted")
    first, again = [await ran(world, suite_id, "model-a") for _ in range(2)]
    found = await compared(world, first, again)
    (pair,) = found["comparisons"][0]["comparisons"]
    assert (pair["score"]["mean"], pair["coverage"], pair["score"]["verdict"]) == (0.0, 1.0, "not separable")
    assert pair["weighting"].startswith("The tasks count as in the score of 'Nightly' v2 without the task 'proofs'")
    assert [each["score"]["cases"] for each in pair["evaluators"]] == [10, 30, 0]
    assert [each["score"]["verdict"] for each in pair["evaluators"][:2]] == ["not separable"] * 2
    (run,) = found["runs"]
    assert run["score"]["mean_here"] == found["models"][0]["overall_score"]
    found = await compared(world, first, await ran(world, suite_id, "model-b"))
    (pair,) = found["comparisons"][0]["comparisons"]
    assert (pair["score"]["verdict"], pair["least_covered"]) == ("low coverage", "proofs")
    assert pair["weighting"].endswith("A gate skipped the task 'proofs' in one of them only.")
    assert found["winner_reason"].startswith("A gate skipped the task 'proofs' for 'model-b' of")


async def test_cases_that_only_one_run_has_do_not_cover_others(world: World) -> None:
    world.answer = by_model

    async def losing(command: JudgeAnswer) -> Verdict:
        if command.case.task_id == "sums/0":
            return Unparsed(problem="no verdict", raw_text="Hm.")
        return await solved(command)

    world.judge = losing
    tasks = await two_tasks(world, sums=2, words=4)
    first = await ran(world, await insert_suite(world, *tasks, aggregation="weighted"), "model-c")
    world.judge = solved
    more_sums = a_task("sums", await version_of(world, "More sums", 8), weight=3)
    grown = await insert_suite(world, more_sums, tasks[1], aggregation="weighted", version_number=3)
    found = await compared(world, first, await ran(world, grown, "model-c"))
    (pair,) = found["comparisons"][0]["comparisons"]
    assert (pair["coverage"], pair["least_covered"], pair["score"]["verdict"]) == (0.5, "sums", "low coverage")


async def test_task_without_a_common_case_is_named(world: World) -> None:
    world.answer, world.judge = by_model, solved
    tasks = await two_tasks(world, sums=2, words=4)
    first = await ran(world, await insert_suite(world, *tasks, aggregation="weighted"), "model-c")
    others = await insert_version(world, [a_case(f"other-{number}") for number in range(2)], dataset="Others")
    changed = await insert_suite(
        world, a_task("sums", others, weight=3), tasks[1], aggregation="weighted", version_number=3
    )
    found = await compared(world, first, await ran(world, changed, "model-c"))
    (pair,) = found["comparisons"][0]["comparisons"]
    assert pair["weighting"] == (
        "The tasks count as in the score of 'Nightly' v2: by their weights. Without a case in both: the task 'sums'."
    )


async def test_task_that_was_skipped_for_one_target_counts_for_the_others(world: World) -> None:
    """The gate of `proofs` skips this task for model-a, which fails `words`. Model-c solves `proofs` in the first run
    only."""
    world.answer = by_model
    sums, words = ({**task, "evaluators": [CONTAINS]} for task in await two_tasks(world))
    gate = [{"task": "words", "min_score": 0.5}]
    proofs = a_task("proofs", await version_of(world, "Proofs", 4), gate=gate, evaluators=[CONTAINS])
    suite_id = await insert_suite(world, sums, words, proofs, aggregation="weighted")

    async def proving(command: JudgeAnswer) -> Verdict:
        return contained(True) if command.case.task_id.startswith("proofs") else await solved(command)

    runs = []
    for judge in (proving, solved):
        world.judge = judge
        runs.append(await ran(world, suite_id, "model-a", "model-c"))
    found = await compared(world, *runs)
    means = [comparison["comparisons"][0]["score"]["mean"] for comparison in found["comparisons"]]
    assert means == [0.0, -0.2]
    (run,) = found["runs"]
    assert run["score"]["mean"] == pytest.approx(-0.2 * 44 / 84)
    assert run["score"]["mean"] == pytest.approx(run["score"]["mean_here"] - run["score"]["mean_baseline"])
    assert run["weighting"].startswith("model-a: The tasks count as in the score of 'Nightly' v2 without the task")
    assert "model-c: The tasks count as in the score of 'Nightly' v2: by their weights." in run["weighting"]


async def test_gates_leave_out_a_task_that_was_skipped_in_both_runs(world: World) -> None:
    """A gate of the suite skips `proofs`, which has most of the cases, for model-a."""
    world.answer, world.judge = by_model, solved
    sums, words = ({**task, "evaluators": [CONTAINS]} for task in await two_tasks(world))
    gate = [{"task": "words", "min_score": 0.5}]
    proofs = a_task("proofs", await version_of(world, "Proofs", 50), gate=gate, evaluators=[CONTAINS])
    suite_id = await insert_suite(world, sums, words, proofs, aggregation="weighted")
    first, again = [await ran(world, suite_id, "model-a") for _ in range(2)]

    async def gated(metric: str, **more: Any) -> Any:
        choice = {"metric": metric, "margin": 0.3, "force": True} | more
        response = await world.http.post("/v1/benchmarks/compare", json={"run_ids": [first, again], "gate": choice})
        return response.json()

    for metric, cases in [("score", 40), ("latency", 40), ("sums/contains", 10), ("words/contains", 30)]:
        found = await gated(metric)
        (pair,) = found["gate"]["pairs"]
        assert (pair["shared_cases"], pair["coverage"]) == (cases, 1.0), metric
    (score,) = (await gated("score"))["gate"]["pairs"]
    assert score["sentence"].endswith("A gate of the suite skipped the task 'proofs' in all runs.")
    for metric, more in [("proofs/contains", {}), ("score", {"task": "proofs"})]:
        refused = await gated(metric, **more)
        assert refused["errors"][0]["message"] == (
            "a gate of the suite skipped the task 'proofs', so there is nothing to compare"
        )


def test_reused_version_number_does_not_make_other_weights_alike() -> None:
    heavier = replace(SUITE, tasks=[replace(SUITE.tasks[0], weight=9), *SUITE.tasks[1:]])
    assert not weigh_alike(heavier, SUITE)
    assert not weigh_alike(replace(SUITE, aggregation=Aggregation.MACRO), SUITE)
    assert weigh_alike(replace(SUITE, tasks=SUITE.tasks[1:], left_out=[SUITE.tasks[0].name]), SUITE)


SUITE = ScoredSuite(
    "Nightly",
    1,
    Aggregation.WEIGHTED,
    [],
    [ScoredTask("large", "general", 1, "r*1"), ScoredTask("small", "general", 1, "r*1")],
)


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (SUITE, True),
        (replace(SUITE, version_number=2), True),
        (replace(SUITE, version_number=2, tasks=SUITE.tasks[::-1]), True),
        (replace(SUITE, version_number=2, aggregation=Aggregation.MEAN), False),
        (replace(SUITE, version_number=2, tasks=SUITE.tasks[:1]), False),
        (replace(SUITE, version_number=2, left_out=["more"]), False),
        (replace(SUITE, version_number=2, tasks=[SUITE.tasks[0], replace(SUITE.tasks[1], weight=2)]), False),
        (replace(SUITE, version_number=2, tasks=[SUITE.tasks[0], replace(SUITE.tasks[1], measure="s*1")]), False),
        (replace(SUITE, tasks=SUITE.tasks[:1], left_out=["small"]), True),
    ],
)
def test_versions_weigh_alike_only_with_the_same_tasks_weights_and_measures(other: ScoredSuite, alike: bool) -> None:
    assert (weigh_alike(other, SUITE), weigh_alike(SUITE, other)) == (alike, alike)
    assert (shared_weights([SUITE, other]) is not None) is alike


def test_change_that_keeps_the_score_of_the_suite_is_no_false_alarm() -> None:
    """The change gains 0.1 in a large task and loses 0.1 in a small one. Both tasks have the same weight."""
    random = np.random.default_rng(20_261_128)
    weights = weights_of(SUITE, ["large", "small"])
    shares = {name: weights[name] * (_LARGE + _SMALL) / cases for name, cases in (("large", _LARGE), ("small", _SMALL))}
    alarms = {True: 0, False: 0}
    for _ in range(_REPLICATIONS):
        gain = np.clip(random.normal(0.1, 0.2, _LARGE), -1, 1)
        loss = np.clip(random.normal(-0.1, 0.2, _SMALL), -1, 1)
        weighed = [(float(value) * shares["large"], shares["large"], 1) for value in gain]
        weighed += [(float(value) * shares["small"], shares["small"], 1) for value in loss]
        for is_weighed, sums in (
            (True, ClusterSums.tally(weighed)),
            (False, ClusterSums.of([*map(float, gain), *map(float, loss)])),
        ):
            (judged,) = verdicts([GatePair(sums, shared_cases=200, scored_cases=200)])
            alarms[is_weighed] += judged.verdict in (Found.BETTER, Found.WORSE)
    assert binom.sf(alarms[True] - 1, _REPLICATIONS, 0.06) >= 0.01
    assert alarms[False] > 0.5 * _REPLICATIONS, "counted by cases, the gain in the large task prevails"
