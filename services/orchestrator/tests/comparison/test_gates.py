"""Test the gates over HTTP: decisions, refusals, and their texts."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from made_runs import Case, Cell, cases, made_run
from run_world import World

SPREAD = [0.6, 0.7, 0.8, 0.9, 0.5]


def scores(count: int, *, change: float = 0.0) -> list[Cell]:
    """Return scores that vary from case to case. `change` raises their mean by this value, but not each score by the
    same amount."""
    return [SPREAD[case % 5] + change * (1 + 0.1 * (case % 3 - 1)) for case in range(count)]


@pytest.fixture
async def template(world: World) -> UUID:
    run_id = await world.start("model-a")
    await world.until_status(run_id, "FINISHED")
    return run_id


async def post_gate(world: World, columns: list[str], metric: str, margin: float, **more: Any) -> Any:
    choice = {"metric": metric, "margin": margin, "force": more.pop("force", False)}
    body = {"columns": [dict(zip(("run_id", "target_id"), column.split(":"), strict=True)) for column in columns]}
    return await world.http.post("/v1/benchmarks/compare", json=body | {"gate": choice} | more)


async def gate(world: World, columns: list[str], metric: str = "score", margin: float = 0.05, **more: Any) -> Any:
    response = await post_gate(world, columns, metric, margin, **more)
    assert response.status_code == 200, response.text
    return response.json()["gate"]


async def refusal(world: World, columns: list[str], metric: str = "score", margin: float = 0.05, **more: Any) -> str:
    response = await post_gate(world, columns, metric, margin, **more)
    assert response.status_code == 422, response.text
    return str(response.json()["detail"])


async def test_gate_over_http_is_fine_worse_or_undecided(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(scores(120)), name="Base")
    same = await made_run(world, template, cases(scores(120, change=0.004)), name="Same")
    low = await made_run(world, template, cases(scores(120, change=-0.3)), name="Low")
    found = await gate(world, [base, same])
    (pair,) = found["pairs"]
    assert (found["state"], pair["state"], found["title"]) == ("fine", "fine", "mean score")
    assert pair["interval"]["low"] > -0.05
    assert (pair["cases"], pair["clusters"], pair["coverage"]) == (120, 120, 1)
    assert "a loss of 5 points is ruled out" in pair["sentence"]
    assert "90 % two-sided" in pair["sentence"]
    found = await gate(world, [base, low])
    assert found["state"] == "worse"
    assert found["pairs"][0]["interval"]["high"] < -0.05
    # The column is certainly worse than the baseline. Even a larger margin does not let the gate pass.
    found = await gate(world, [base, low], margin=0.3)
    assert (found["state"], found["lower_than_baseline"]) == ("undecided", True)
    assert "lower than the baseline for certain" in found["pairs"][0]["sentence"]


async def test_five_lost_cases_make_a_gate_worse_and_five_equal_ones_undecided(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases([1.0] * 5), name="Base")
    lost = await made_run(world, template, cases([0.0] * 5), name="Lost")
    assert (await gate(world, [base, lost]))["state"] == "worse"
    equal = await made_run(world, template, cases([1.0] * 5), name="Equal")
    assert (await gate(world, [base, equal], force=True))["state"] == "undecided"


async def test_gate_with_too_few_cases_is_refused_with_the_number_needed(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(scores(3)), name="Base")
    same = await made_run(world, template, cases(scores(3)), name="Same")
    detail = await refusal(world, [base, same])
    assert detail.startswith("With 3 cases a margin of 5 points finds an unchanged model fine in ")
    assert "80 of 100 are needed. Ask 6" in detail
    found = await gate(world, [base, same], force=True)
    (pair,) = found["pairs"]
    assert (found["state"], pair["probability_fine"] < 0.8, pair["clusters_needed"] > 600) == ("undecided", True, True)


async def test_refused_answers_count_as_zero_and_lost_ones_as_missing(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(scores(60)), name="Base")
    third: dict[str, Cell] = {}
    for kind in ("refused", "malformed", "unavailable", "rate_limited", "rejected", "timed_out"):
        third[kind] = await made_run(
            world,
            template,
            cases([kind if case % 3 == 0 else score for case, score in enumerate(scores(60))]),
            name=kind,
        )
    for kind in ("refused", "malformed"):
        found = await gate(world, [base, str(third[kind])])
        assert (found["state"], found["pairs"][0]["coverage"]) == ("worse", 1), kind
        compared = await world.http.get("/api/comparisons", params={"column": [base, str(third[kind])]})
        (one,) = compared.json()["comparisons"]
        assert (one["zeros"], one["baseline_zeros"], one["score"]["cases"]) == (20, 0, 60)
        assert one["score"]["verdict"] == "worse"
        assert one["passes"]["lost"] == 20
    for kind in ("unavailable", "rate_limited", "rejected", "timed_out"):
        found = await gate(world, [base, str(third[kind])])
        assert (found["state"], found["pairs"][0]["coverage"]) == ("low coverage", pytest.approx(2 / 3)), kind
        assert "40 of the 60 cases" in found["pairs"][0]["sentence"]


async def test_zeros_are_counted_in_the_cases_of_both_columns_only(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(["refused", 0.5, 0.6, 0.7]), name="Base")
    more = await made_run(world, template, cases([0.5, "refused", 0.6, 0.7, "refused", "malformed"]), name="More")
    for columns, only in (([base, more], (0, 2)), ([more, base], (2, 0))):
        (one,) = (await world.http.get("/api/comparisons", params={"column": columns})).json()["comparisons"]
        assert (one["only_baseline"], one["only_here"]) == only
        assert (one["cases_in_both"], one["zeros"], one["baseline_zeros"]) == (4, 1, 1)


async def test_run_that_lost_most_answers_has_low_coverage_and_does_not_win(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(scores(100)), name="Base")
    most = await made_run(
        world,
        template,
        cases(["unavailable" if case < 80 else score for case, score in enumerate(scores(100, change=0.09))]),
        name="Most lost",
    )
    response = await post_gate(world, [base, most], "score", 0.05)
    found = response.json()
    assert found["winner"] is None
    assert found["winner_reason"].startswith("Only 20 of the 100 cases that ")
    assert found["comparisons"][0]["comparisons"][0]["score"]["verdict"] == "low coverage"
    assert found["gate"]["state"] == "low coverage"


async def test_cases_of_one_conversation_document_or_key_are_one_cluster(world: World, template: UUID) -> None:
    """All questions about three of ten documents get worse. With one cluster per document, the interval of the loss is
    wider than with one per conversation. Counted as a hundred independent cases, the loss would seem certain."""

    def asked_of(lost: bool) -> list[Case]:
        return [
            Case(
                [0.5 if lost and case // 10 < 3 else 0.8],
                metadata={"source": f"document {case // 10}", "odd": [1], "none": None},
                conversation=(f"talk {case // 5}", case % 5 + 1),
            )
            for case in range(100)
        ]

    base = await made_run(world, template, asked_of(False), name="Base")
    lost = await made_run(world, template, asked_of(True), name="Lost")
    by_conversation = (await gate(world, [base, lost], force=True))["pairs"][0]
    by_document = (await gate(world, [base, lost], force=True, cluster_by="source"))["pairs"][0]
    assert (by_conversation["cases"], by_conversation["clusters"]) == (100, 20)
    assert (by_document["cases"], by_document["clusters"]) == (100, 10)
    assert by_document["mean"] == by_conversation["mean"] == pytest.approx(-0.09)
    assert by_document["interval"]["low"] < by_conversation["interval"]["low"]
    compared = await world.http.get("/api/comparisons", params={"column": [base, lost], "cluster_by": "source"})
    assert compared.json()["comparisons"][0]["score"]["clusters"] == 10
    assert compared.json()["cluster_by"] == "source"
    assert "no case of these runs has the metadata key 'sauce'" in await refusal(
        world, [base, lost], cluster_by="sauce"
    )
    assert "no case" in await refusal(world, [base, lost], cluster_by="none")


async def test_mean_weighs_each_case_equally_whatever_its_cluster(world: World, template: UUID) -> None:
    """One conversation of 30 turns gets worse by 0.2, and 30 other cases get better by 0.2. The mean difference is 0,
    because it is over cases, not over clusters."""
    talk = [Case([0.8], conversation=("talk", turn + 1)) for turn in range(30)]
    alone = [Case([0.4 + 0.01 * (case % 3)], task_id=f"alone-{case}") for case in range(30)]
    base = await made_run(world, template, [*talk, *alone], name="Base")
    changed = await made_run(
        world,
        template,
        [
            *(Case([0.6], conversation=("talk", turn + 1)) for turn in range(30)),
            *(Case([0.6 + 0.01 * (case % 3)], task_id=f"alone-{case}") for case in range(30)),
        ],
        name="Changed",
    )
    compared = (await world.http.get("/api/comparisons", params={"column": [base, changed]})).json()
    score = compared["comparisons"][0]["score"]
    assert (score["cases"], score["clusters"], score["better"], score["worse"]) == (60, 31, 30, 30)
    assert score["mean"] == 0
    assert [score["mean_here"], score["mean_baseline"]] == [pytest.approx(0.605), pytest.approx(0.605)]


async def test_every_metric_can_be_gated(world: World, template: UUID) -> None:
    def priced(factor: float) -> list[Case]:
        return [
            Case(
                [0.9 if case % 4 else 0.4],
                cost_usd=0.0001 * factor * (1 + case % 5),
                time_ms=round(100 * factor) + case,
            )
            for case in range(80)
        ]

    base = await made_run(world, template, priced(1), name="Base")
    dear = await made_run(world, template, priced(1.5), name="Dear")
    for metric, margin, state in (
        ("score", 0.05, "fine"),
        ("pass rate", 0.05, "fine"),
        ("rubric", 0.05, "fine"),
        ("evaluator:rubric", 0.05, "fine"),
        ("cost", 0.2, "worse"),
        ("cost", 0.6, "fine"),
        ("Latency", 0.1, "worse"),
        ("latency", 0.6, "fine"),
    ):
        found = await gate(world, [base, dear], metric, margin)
        assert found["state"] == state, (metric, margin, found)
    cost = (await gate(world, [base, dear], "cost", 0.2))["pairs"][0]
    assert (cost["mean"], cost["mean_baseline"], cost["mean_here"]) == (
        pytest.approx(0.5),
        pytest.approx(0.0003),
        pytest.approx(0.00045),
    )
    assert cost["interval"]["low"] <= 0.5 <= cost["interval"]["high"]
    assert "cost +50.0 %" in cost["sentence"]
    # Cached answers were neither timed nor paid for.
    cached = await made_run(world, template, [Case([0.9], cached=True) for _ in range(80)], name="Cached")
    assert "was timed" in await refusal(world, [base, cached], "latency", 0.1)


async def test_gate_is_refused_if_the_runs_lack_the_metric(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(scores(20)), name="Base", verdicts=False)
    other = await made_run(world, template, cases(scores(20)), name="Other", verdicts=False)
    elsewhere = await made_run(world, template, [Case([0.5], task_id=f"x-{n}") for n in range(20)], name="Elsewhere")
    assert "give one a pass_threshold" in await refusal(world, [base, other], "pass_rate")
    assert "no answer has a known price" in await refusal(world, [base, other], "cost", 0.2)
    assert "no evaluator 'brevity': there is score, pass_rate, cost, latency, 'rubric'" in await refusal(
        world, [base, other], "brevity"
    )
    assert "share no case" in await refusal(world, [base, elsewhere])
    assert "allows any loss" in await refusal(world, [base, other], margin=5)
    for margin in (0, -0.1, 11):
        response = await post_gate(world, [base, other], "score", margin)
        assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "gate.margin"), margin
    nan = await world.http.post(
        "/v1/benchmarks/compare",
        content=f'{{"run_ids": ["{uuid4()}", "{uuid4()}"], "gate": {{"metric": "score", "margin": NaN}}}}',
        headers={"Content-Type": "application/json"},
    )
    assert nan.status_code == 422
    run_id = base.split(":")[0]
    itself = await world.http.post(
        "/v1/benchmarks/compare", json={"run_ids": [run_id, run_id], "gate": {"metric": "score", "margin": 0.1}}
    )
    assert itself.status_code == 422
    assert "llmbench gate check" in itself.json()["detail"]
    unscored = await made_run(world, template, cases([None] * 20), name="Unscored")
    assert "'Unscored' has no mean score" in await refusal(world, [base, unscored])
    gone = await made_run(world, template, cases(["unavailable"] * 20), name="Gone")
    assert (await gate(world, [base, gone]))["state"] == "low coverage"


async def test_gate_is_refused_for_different_judges_and_for_an_unfinished_run(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(scores(20)), name="Base")
    going = await made_run(world, template, cases(scores(20)), name="Going", status="PAUSED")
    response = await post_gate(world, [base, going], "score", 0.05)
    assert response.status_code == 409
    assert "'Going' is paused" in response.json()["detail"]
    assert "llmbench watch" in response.json()["detail"]
    judge = {"provider_id": str(world.provider_id), "model": "another-judge"}
    judged = await world.start("model-a", judge=judge, check_providers=False)
    await world.until_status(judged, "FINISHED")
    other = await made_run(world, judged, cases(scores(20)), name="Judged otherwise")
    assert "Two different measures scored these runs" in await refusal(world, [base, other])
    assert "was not scored by 'rubric' as the baseline was" in await refusal(world, [base, other], "rubric")
    assert (await gate(world, [base, other], "latency", 0.9, force=True))["metric"] == "latency"


async def test_gate_can_be_checked_on_its_baseline_alone(world: World, template: UUID) -> None:
    async def check(column: str, **more: Any) -> Any:
        body = {"run_id": column.split(":")[0], "gate": {"metric": "score", "margin": 0.05} | more}
        return await world.http.post("/v1/benchmarks/check-gate", json=body)

    wobbling = [Case([0.7 + 0.02 * ((case + epoch) % 3) for epoch in range(4)]) for case in range(120)]
    epochs = await made_run(world, template, wobbling, name="Epochs")
    found = (await check(epochs)).json()
    (one,) = found["targets"]
    assert (found["holds"], one["basis"], one["worse"], one["clusters"]) == (True, "epochs of the same case", 0, 120)
    assert one["probability_fine"] > 0.8
    few = await made_run(world, template, cases(scores(30)), name="Few")
    found = (await check(few)).json()
    (one,) = found["targets"]
    assert (found["holds"], one["basis"]) == (False, "random pairs of cases")
    assert one["clusters_needed"] > 600
    assert 0.2 < one["margin_needed"] < 0.3
    assert "80 of 100 are needed. Ask 6" in one["sentence"]
    alone = await made_run(world, template, cases([0.5]), name="Alone")
    response = await check(alone)
    assert (response.status_code, "has one case with one answer" in response.json()["detail"]) == (422, True)
    response = await check(few, metric="cost")
    assert (response.status_code, "no answer has a known price" in response.json()["detail"]) == (422, True)
    assert (await check(f"{uuid4()}:x")).status_code == 404


async def test_winner_agrees_with_the_verdicts(world: World, template: UUID) -> None:
    base = await made_run(world, template, cases(scores(60)), name="Base")
    high = await made_run(world, template, cases(scores(60, change=0.1)), name="High")
    near = await made_run(
        world,
        template,
        cases([0.1 + 0.09 * (-1) ** case + score for case, score in enumerate(SPREAD * 12) if score]),
        name="Near",
    )
    response = await post_gate(world, [base, high], "score", 0.05)
    assert response.json()["winner"] == high.split(":")[0]
    shown = (await world.http.get("/api/comparisons", params={"column": [base, high, near]})).json()
    assert [comparison["score"]["verdict"] for comparison in shown["comparisons"]] == ["better", "better"]
    assert shown["winner"] is None
    assert "not separable" in shown["winner_reason"] or "shared by more than one" in shown["winner_reason"]
    assert (await world.http.get("/api/comparisons", params={"column": [base, high]})).json()["winner"] == 1
