"""Test the rules of rounds: the order of the cases, the size of a round, limits, and the reason of a stop."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from experiments.analysis.made_experiments import of_variant, scores, setup
from hypothesis import given
from hypothesis import strategies as st

from llmbench.contracts.experiment_words import ExperimentStatus, ExperimentType, StopRule
from llmbench.ids import new_id
from orchestrator.experiments.domain.analysis.analyse import analyse
from orchestrator.experiments.domain.analysis.types import Analysis, State
from orchestrator.experiments.domain.next_step import limit_of, planned_of, stop_after, total_clusters, upcoming
from orchestrator.experiments.domain.order import shuffled
from orchestrator.experiments.domain.records import Experiment, Variant
from orchestrator.experiments.domain.requested import Config
from orchestrator.experiments.domain.round_size import next_size, round_count, round_size
from orchestrator.experiments.domain.setup import setup_of
from orchestrator.experiments.domain.words import Design, Method
from orchestrator.kernel.domain.sample import SampledCase

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
CONFIG = Config(
    method=Method.SEQUENTIAL,
    significance_level=0.05,
    design=Design.PAIRED,
    minimum_effect=0.05,
    power=0.8,
    minimum_sample_size=None,
    maximum_sample_size=None,
    maximum_duration_days=None,
    maximum_cost_usd=None,
    cluster_by=None,
    round_size=None,
)


def case(number: int, key: str | None = None, conversation: str | None = None) -> SampledCase:
    return SampledCase(UUID(int=number), f"case {number}", "sums", key=key, conversation=conversation)


def variant(name: str, *, share: float = 0.5, out_reason: str | None = None) -> Variant:
    return Variant(new_id(), name, name == "control", share, {}, 0, 0.0, 0.0, 0, out_reason, None, NOW)


def experiment(
    config: Config = CONFIG, *, type_: ExperimentType = ExperimentType.AB_TEST, **changes: int
) -> Experiment:
    made = Experiment(
        id=new_id(),
        name="Shorter prompt",
        hypothesis=None,
        notes=None,
        type=type_,
        status=ExperimentStatus.RUNNING,
        status_reason=None,
        primary_metric="score",
        guardrails=[],
        config=config,
        setup={"sources": {}},
        seed=5,
        case_count=400,
        cluster_count=400,
        largest_cluster=1,
        planned=200,
        cost_usd=0.0,
        stop=None,
        conclusion=None,
        variants=[variant("control"), variant("short")],
        version=1,
        created_at=NOW,
        created_by=None,
        updated_at=NOW,
        started_at=NOW,
        concluded_at=None,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def test_order_follows_from_the_seed_and_not_from_the_order_of_the_cases() -> None:
    cases = [case(number) for number in range(50)]
    order = shuffled(cases, 7)
    assert [each.case_id for each in shuffled(cases[::-1], 7)] == [each.case_id for each in order]
    assert [each.case_id for each in shuffled(cases, 8)] != [each.case_id for each in order]
    assert [each.case_id for each in order] != [each.id for each in cases]
    assert [each.position for each in order] == [each.cluster for each in order] == list(range(50))


def test_cases_that_depend_on_each_other_stay_together_in_their_own_order() -> None:
    cases = [case(number, key="ab"[number % 2] if number < 6 else None) for number in range(9)]
    cases += [case(number, conversation="talk") for number in range(9, 12)]
    order = shuffled(cases, 3)
    of_cluster: dict[int, list[int]] = {}
    for each in order:
        of_cluster.setdefault(each.cluster, []).append(each.case_id.int)
    assert sorted(of_cluster.values()) == [[0, 2, 4], [1, 3, 5], [6], [7], [8], [9, 10, 11]]
    assert list(of_cluster) == list(range(6))
    assert [each.position for each in order] == list(range(12))


@pytest.mark.parametrize(
    ("changes", "planned", "is_bandit", "size", "rounds"),
    [
        ({}, 400, False, 20, 20),
        ({}, 60, False, 10, 6),
        ({}, 7, False, 7, 1),
        ({"round_size": 30}, 400, False, 30, 14),
        ({"round_size": 30}, 20, False, 20, 1),
        ({"method": Method.FREQUENTIST}, 400, False, 400, 1),
        ({"method": Method.BAYESIAN}, 2_500, False, 1_000, 3),
        ({"method": Method.FREQUENTIST}, 400, True, 20, 20),
        ({"minimum_sample_size": 50}, 400, False, 20, 19),
    ],
)
def test_round_has_a_twentieth_of_the_sample_or_all_where_one_look_decides(
    changes: dict[str, object], planned: int, is_bandit: bool, size: int, rounds: int
) -> None:
    config = replace(CONFIG, **changes)  # type: ignore[arg-type]
    assert round_size(config, planned, is_bandit=is_bandit) == size
    assert round_count(config, planned, is_bandit=is_bandit) == rounds


@given(planned=st.integers(2, 5_000), size=st.none() | st.integers(1, 300), least=st.none() | st.integers(2, 6_000))
def test_rounds_use_each_cluster_of_the_sample_once(planned: int, size: int | None, least: int | None) -> None:
    config = replace(CONFIG, round_size=size, minimum_sample_size=least)
    done, rounds = 0, 0
    while done < planned:
        next_ = next_size(config, planned, done, is_bandit=False)
        assert 1 <= next_ <= planned - done
        assert done or least is None or next_ >= min(least, planned)
        done, rounds = done + next_, rounds + 1
    assert rounds == round_count(config, planned, is_bandit=False)


def test_split_sample_counts_each_cluster_for_one_variant() -> None:
    split = replace(CONFIG, design=Design.SPLIT, minimum_sample_size=30, round_size=10)
    assert total_clusters(experiment()) == 200
    assert total_clusters(experiment(cluster_count=120)) == 120
    assert total_clusters(experiment(split)) == 400
    assert total_clusters(experiment(split, planned=150)) == 300
    assert total_clusters(experiment(split, type_=ExperimentType.MULTI_ARM_BANDIT, planned=150)) == 300
    assert (upcoming(experiment(split), 0), upcoming(experiment(split), 60), upcoming(experiment(split), 395)) == (
        60,
        10,
        5,
    )
    assert upcoming(experiment(), 200) == 0


def test_end_lowers_the_sample_that_decides_but_not_the_horizon_of_the_bets() -> None:
    data = [of_variant("control", scores(0.5, 180)), of_variant("new", scores(0.6, 170))]
    ran = experiment()
    data = [replace(each, variant_id=str(of.id)) for each, of in zip(data, ran.variants, strict=True)]
    assert planned_of(ran, data, complete=False) == 200
    assert planned_of(ran, data, complete=True) == 170
    assert setup_of(ran, planned=170).horizon == 200
    dropped = replace(ran, variants=[ran.variants[0], replace(ran.variants[1], out_reason="harmful")])
    assert planned_of(dropped, data, complete=True) == 180


def test_limits_are_named_and_the_next_round_has_to_fit_the_cost() -> None:
    later = NOW + timedelta(days=2)
    limited = experiment(replace(CONFIG, maximum_duration_days=2, maximum_cost_usd=5))
    assert limit_of(limited, complete=False, next_cost_usd=1, now=NOW) is None
    over = limit_of(limited, complete=False, next_cost_usd=1, now=later)
    assert over is not None
    assert over.rule is StopRule.DURATION
    dear = replace(limited, cost_usd=4.5)
    assert limit_of(dear, complete=False, next_cost_usd=0.5, now=NOW) is None
    cost = limit_of(dear, complete=False, next_cost_usd=0.51, now=NOW)
    assert cost is not None
    assert (cost.rule, "$5.00" in cost.words) == (StopRule.COST, True)
    whole = limit_of(limited, complete=True, next_cost_usd=9, now=later)
    assert whole is not None
    assert whole.rule is StopRule.PLANNED
    lacking = experiment(replace(CONFIG, maximum_sample_size=900), planned=400)
    cases = limit_of(lacking, complete=True, next_cost_usd=0, now=NOW)
    assert cases is not None
    assert cases.rule is StopRule.CASES


def look(**changes: object) -> Analysis:
    data = [of_variant("control", scores(0.5)), of_variant("new", scores(0.5, seed=2))]
    return replace(analyse(setup(Method.SEQUENTIAL), data), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "rule"),
    [
        (State.SHIP, StopRule.DECIDED),
        (State.ROLL_BACK, StopRule.DECIDED),
        (State.HARMFUL, StopRule.HARMFUL),
        (State.FUTILE, StopRule.FUTILE),
        (State.REVIEW, StopRule.PLANNED),
        (State.LIMIT, StopRule.PLANNED),
    ],
)
def test_stop_names_the_decision_or_the_limit(state: State, rule: StopRule) -> None:
    stop = stop_after(look(state=state, done=True), None, NOW)
    assert stop is not None
    assert (stop.rule, stop.at) == (rule, NOW)


def test_experiment_without_decision_and_limit_goes_on() -> None:
    assert stop_after(look(state=State.N_LEFT, done=False), None, NOW) is None
