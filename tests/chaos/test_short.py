"""Run a short form of `make chaos`, which tests runs with random faults: four plans on one platform, with faults of
several kinds."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tests.chaos.faults import GATEWAY, faults
from tests.chaos.plan import WHILE_WAITING, Break, Plan, plan_of
from tests.chaos.runner import run_plan, stage_for_plans

pytestmark = pytest.mark.never_rerun

# Other tests share the machine, so the limit is high: it proves only that the run ends. `make chaos` also proves how
# soon.
ENDS_WITHIN_S = 150.0
BREAKS: dict[int, tuple[tuple[str, dict[str, Any], int], ...]] = {
    25: (("kill", {"who": "inference-gateway", "down_s": 0}, 3), ("purge the streams", {}, 6)),
    119: (
        ("lose the broker's store", {"down_s": 0, "freeze_s": 0}, 1),
        ("between two steps of judging", {"calls": 2, "who": "judge", "how": "kill", "for_s": 0}, 3),
    ),
    350: (
        ("kill", {"who": "orchestrator", "down_s": 0}, 3),
        ("kill", {"who": "judge", "down_s": 0}, 8),
    ),
    3: (("kill", {"who": "postgres", "down_s": 0}, 2), ("freeze", {"who": "orchestrator", "for_s": 1}, 6)),
}
"""The faults for the run of each seed. Each has a kind, parameters, and the number of answered calls after which it
begins."""

BESIDE = 3
"""The seed during which a second organisation has a run of its own."""
QUEUED = 350
"""The seed whose run waits in the queue while the orchestrator is killed. It is a run of a suite with a baseline."""


def test_plan_of_a_seed_is_reproducible() -> None:
    drawn = list(faults().values())
    plans = [plan_of(seed, faults=drawn) for seed in range(1, 301)]
    assert plans == [plan_of(seed, faults=drawn) for seed in range(1, 301)]
    broken = {one.fault for plan in plans for one in plan.breaks}
    assert broken == faults().keys(), "300 plans have faults of every kind"
    assert {plan.parallel_groups for plan in plans} == {1, 2, 3}
    assert 40 < sum(plan.neighbour for plan in plans) < 80
    waiting = [plan.waiting for plan in plans if plan.waiting is not None]
    assert {(one.scheduled, one.fault.fault) for one in waiting} == set(product((True, False), WHILE_WAITING))
    gated = [plan for plan in plans if plan.suite is not None]
    assert {plan.suite.opens for plan in gated if plan.suite and plan.parallel_groups > 1} == {True, False}
    assert {plan.suite.baseline for plan in gated if plan.suite} == {True, False}
    assert {plan.evaluators for plan in gated} == {"rubric", "programs"}
    assert {model.provider for plan in plans for model in plan.models().values()} == {0, 1, 2}
    behaviours = {
        behaviour for plan in plans for model in plan.models().values() for behaviour in model.next if behaviour
    }
    assert len({behaviour.split("-", 2)[2] for behaviour in behaviours}) > 15


@pytest.mark.parametrize(("who", "how", "loses"), [("judge", "kill", 0), (GATEWAY, "kill", 1), (GATEWAY, "freeze", 0)])
def test_only_a_killed_process_allows_a_repeated_call(who: str, how: str, loses: int) -> None:
    assert faults()["between two steps of judging"].loses({"who": who, "how": how}) == loses


@pytest.mark.timeout(900)
@pytest.mark.shows("R-01", "R-02", "R-03", "R-04", "R-05", "R-06")
async def test_four_plans_have_no_violation() -> None:
    async with stage_for_plans() as stack:
        for seed in BREAKS:
            report = await run_plan(stack, _short(seed), ends_within_s=ENDS_WITHIN_S, last_waits=True)
            assert not report.violations, f"{report.line()}\nlogs: {stack.logs}"
            assert len(report.broken) == report.planned, report.line()


def _short(seed: int) -> Plan:
    plan = plan_of(seed, faults=list(faults().values()))
    breaks = tuple(Break(fault=fault, params=params, after=after) for fault, params, after in BREAKS[seed])
    # One second process per plan is enough here, one plan with a second organisation, and one that waits in the queue.
    waiting = replace(plan.waiting, scheduled=False) if plan.waiting and seed == QUEUED else None
    return replace(plan, breaks=breaks, replicas=plan.replicas[-1:], neighbour=seed == BESIDE, waiting=waiting)
