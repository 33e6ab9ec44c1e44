"""Publish the suite of a plan, and give it a baseline if the plan says so. The plan's cases are divided among the
suite's tasks."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from llmbench.ids import new_id
from tests.chaos.plan import MAX_ATTEMPTS, Model, Plan, Suite
from tests.platform import Platform

Providers = Mapping[int, str]
"""The ids of a plan's providers by number."""
_NEVER = "no answer of the mock contains this"


@dataclass(frozen=True)
class Request:
    """The request that starts a run. `kind` is "run" or "suite", the names that the API of schedules uses."""

    kind: str
    body: dict[str, Any]


async def request_of_suite(stack: Platform, plan: Plan, suite: Suite, providers: Providers) -> Request:
    """Publish the plan's suite, and give it a baseline if the plan says so. Return the request that starts its run."""
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
    if suite.baseline:
        await _baseline(stack, plan, body, family_id=applied["suite"]["family_id"])
    return Request("suite", body)


async def _baseline(stack: Platform, plan: Plan, body: dict[str, Any], *, family_id: str) -> None:
    """Run the suite on a model without failures, and make that run the baseline, with a gate."""
    model = {"name": f"mock-0ms-s{plan.seed}base", "provider": stack.provider_id, "label": plan.targets[0].name}
    run = await stack.post("/v1/benchmarks/runs", body | {"name": f"baseline of seed {plan.seed}", "models": [model]})
    await stack.until_status(run["run_id"], "FINISHED")
    subject = {"kind": "suite", "id": family_id}
    baseline = await stack.post("/api/baselines", {"subject": subject, "label": "main", "run_id": run["run_id"]})
    await _insert_gate(stack, UUID(baseline["id"]))


async def _insert_gate(stack: Platform, baseline_id: UUID) -> None:
    """Insert a gate on the score directly into the database.

    The API would refuse it, because so few cases hardly ever allow a decision. For the test, any result will do.
    """
    connection = await asyncpg.connect(stack.database_url)
    try:
        await connection.execute(
            "INSERT INTO gate (id, baseline_id, metric, margin, undecided, probability_fine, clusters, org_id) "
            "SELECT $1, id, 'score', 0.5, 'fail', 0, 0, org_id FROM baseline WHERE id = $2",
            new_id(),
            baseline_id,
        )
    finally:
        await connection.close()


def _evaluator(plan: Plan, task: str) -> dict[str, Any]:
    by_program = task == "first" or plan.evaluators == "programs"
    return {"kind": "contains", "params": {"text": _NEVER}} if by_program else {"kind": "rubric"}


async def _collection(stack: Platform, name: str, task_ids: list[str]) -> str:
    collection_id: str = (await stack.post("/api/collections", {"name": name, "task_ids": task_ids}))["id"]
    return collection_id


def _model(model: Model, providers: Providers) -> dict[str, Any]:
    return {"name": model.name, "provider": providers[model.provider], "concurrency": model.concurrency}
