"""Start the run of a plan with a suite: publish the suite, whose tasks share the plan's cases."""

import time
from collections.abc import Mapping
from typing import Any

from tests.chaos.plan import MAX_ATTEMPTS, Model, Plan, Suite
from tests.platform import Platform

Providers = Mapping[int, str]
"""The ids of a plan's providers by number."""
_NEVER = "no answer of the mock contains this"


async def start_suite(stack: Platform, plan: Plan, suite: Suite, providers: Providers) -> str:
    """Publish the plan's suite and start its run. Return the run's id."""
    name = f"Seed {plan.seed} at {time.time()}"
    cases: dict[str, list[str]] = {}
    for case in range(plan.tasks):
        cases.setdefault(suite.task_of(case, cases=plan.tasks), []).append(stack.task_ids[case])
    more: dict[str, dict[str, Any]] = {
        # The program gives every answer 0, so the limit alone decides.
        "gated": {"gate": {"task": "first", "min_score": 0 if suite.opens else 0.5}},
        "later": {"after": ["gated"]},
    }
    tasks = [
        {
            "name": task,
            "source": {"collection_id": await _collection(stack, f"{name}, {task}", ids)},
            "evaluators": [_evaluator(plan, task)],
        }
        | more.get(task, {})
        for task, ids in cases.items()
    ]
    applied = await stack.post("/api/suites/apply", {"suite": {"name": name, "tasks": tasks}, "publish": True})
    body: dict[str, Any] = {
        "suite_id": applied["suite"]["id"],
        "name": f"seed {plan.seed}",
        "models": [_model(model, providers) | {"label": model.name} for model in plan.targets],
        "judge": _model(plan.judges[0], providers) if plan.judges else None,
        "timeout_s": plan.timeout_s,
        "max_attempts": MAX_ATTEMPTS,
        "parallel_groups": plan.parallel_groups,
        "check_providers": False,
    }
    run_id: str = (await stack.post("/v1/benchmarks/runs", body))["run_id"]
    return run_id


def _evaluator(plan: Plan, task: str) -> dict[str, Any]:
    by_program = task == "first" or plan.evaluators == "programs"
    return {"kind": "contains", "params": {"text": _NEVER}} if by_program else {"kind": "rubric"}


async def _collection(stack: Platform, name: str, task_ids: list[str]) -> str:
    collection_id: str = (await stack.post("/api/collections", {"name": name, "task_ids": task_ids}))["id"]
    return collection_id


def _model(model: Model, providers: Providers) -> dict[str, Any]:
    return {"name": model.name, "provider": providers[model.provider], "concurrency": model.concurrency}
