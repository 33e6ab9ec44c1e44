"""Test suites of twelve tasks on the real platform, without and with gates, while the orchestrator is killed during a
run."""

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from tests.journey.conftest import Seeded
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

WARM_UP = "Hello, World!"
TASKS = 12
CASES = 2
MODELS = ("mock-40ms-alpha", "mock-40ms-beta", "mock-40ms-gamma")
JUDGE = "mock-40ms-judge"
CALLS_BETWEEN = 5
"""The number of calls that the provider answers between two kills."""


async def published_suite(
    stack: Platform, name: str, *, text: str = "a", changes: Mapping[int, dict[str, Any]] | None = None
) -> str:
    """Publish a suite of twelve tasks, some of which wait for other tasks. Each task has its own collection. Return the
    suite's id.

    A judge scores the last task; in all other tasks, an answer must contain `text`. `changes` overrides fields of
    tasks, by the task's number.
    """
    tasks: list[dict[str, Any]] = []
    for number in range(TASKS):
        collection = f"{name} {number}"
        ids = [
            (
                await stack.post(
                    "/api/tasks",
                    {
                        "task_id": f"{collection} {case}",
                        "category": "arithmetic",
                        "question": f"What is {number} + {case}?",
                        "excellent": str(number + case),
                    },
                )
            )["id"]
            for case in range(CASES)
        ]
        await stack.post("/api/collections", {"name": collection, "task_ids": ids})
        rubric = number == TASKS - 1
        tasks.append(
            {
                "name": f"task {number}",
                "category": "late" if number >= TASKS // 2 else "early",
                "source": {"collection": collection},
                "evaluators": [{"kind": "rubric"} if rubric else {"kind": "contains", "params": {"texts": [text]}}],
                "params": {"temperature": number / 10},
                "epochs": 2 if number == 0 else 1,
                # The first tasks of the list depend on later ones, so the order has to follow from the dependencies.
                "after": [f"task {number + 6}"] if number < 3 else [f"task {number - 3}"] if number >= 9 else [],
            }
            | (changes or {}).get(number, {})
        )
    applied = await stack.post(
        "/api/suites/apply", {"suite": {"name": name, "aggregation": "macro", "tasks": tasks}, "publish": True}
    )
    suite_id: str = applied["suite"]["id"]
    return suite_id


async def test_suite_loads_each_model_once_and_survives_kills_of_the_orchestrator(seeded: Seeded) -> None:
    stack = await seeded(tasks=1)
    suite_id = await published_suite(stack, "Twelve")
    provider = (await stack.get(f"/api/providers/{stack.provider_id}"))["name"]
    body = {
        "suite_id": suite_id,
        "models": [{"name": model, "provider": provider} for model in MODELS],
        "judge": {"name": JUDGE, "provider": provider},
        "check_providers": False,
    }
    plan = await stack.post("/v1/benchmarks/runs?dry_run=true", body)
    assert [len(level) for level in plan["levels"]] == [6, 6]
    held = (MODELS[0], MODELS[1], JUDGE)
    for model in held:
        await stack.control(model=model, hold=CALLS_BETWEEN)
    run_id = (await stack.post("/v1/benchmarks/runs", body))["run_id"]
    for model in held:
        await stack.until_held(model)
        await stack.services["orchestrator"].kill()
        await stack.control(model=model, hold=None)
        await stack.services["orchestrator"].start()
    run = await stack.until_status(run_id, "FINISHED")

    items_per_model = TASKS * CASES + CASES
    assert run["outcome"] == "complete"
    assert run["counts"]["items"] == items_per_model * len(MODELS)
    items = await stack.items(run_id)
    assert len({(item["task_id"], item["epoch"], item["target_label"]) for item in items}) == len(items)
    assert {item["attempts"] for item in items} == {1}, "a kill uses up no attempt"

    calls = await stack.ledger()
    groups = [(model, list(of_model)) for model, of_model in itertools.groupby(calls, lambda call: call["model"])]
    assert [model for model, _ in groups] == [*MODELS, JUDGE], "each model is used to its end, then the next"
    assert [len(of_model) for _, of_model in groups] == [1 + items_per_model] * 3 + [1 + CASES * 3]
    assert Counter(call["model"] for call in calls if WARM_UP in call["prompt"]) == dict.fromkeys((*MODELS, JUDGE), 1)
    assert len({call["call_id"] for call in calls}) == len(calls), "no call is paid for twice"

    suite = await stack.get(f"/api/runs/{run_id}/suite")
    positions = {task["name"]: place for place, task in enumerate(suite["tasks"])}
    assert all(positions[before] < positions[task["name"]] for task in suite["tasks"] for before in task["after"])
    for target in suite["targets"]:
        assert (target["complete"], target["scored"], len(target["tasks"])) == (True, items_per_model, TASKS)
        assert [category["category"] for category in target["categories"]] == ["early", "late"]
    shown = await stack.get(f"/v1/benchmarks/runs/{run_id}")
    assert shown["status"] == "COMPLETED"
    assert shown["progress"]["completed_tasks"] == TASKS * len(MODELS)
    assert [len(each["results"]["tasks"]) for each in shown["models"]] == [TASKS] * 3


GATED_MODELS = ("mock-40ms-gates-alpha", "mock-40ms-gates-beta", "mock-40ms-gates-gamma")
GATED_JUDGE = "mock-40ms-gates-judge"
WRONG = {GATED_MODELS[1]: 7, GATED_MODELS[2]: 6}
"""The number of the task that a model answers wrong."""
SKIPPED = {GATED_MODELS[0]: [], GATED_MODELS[1]: ["task 10", "task 11"], GATED_MODELS[2]: ["task 9"]}
"""The tasks that a model is not asked, because a gate fails."""


@pytest.mark.shows("R-01", "R-02", "R-03")
async def test_gates_skip_tasks_by_model_and_survive_kills_of_the_orchestrator(seeded: Seeded) -> None:
    """Each gate decides by the answers of its model, so different models skip different tasks. This stays so when the
    orchestrator is killed three times while gates are open. Every model is loaded once."""
    stack = await seeded(tasks=1)
    changes: dict[int, dict[str, Any]] = {
        9: {"after": [], "gate": {"task": "task 6", "min_score": 0.5}},
        10: {"after": [], "gate": [{"task": "task 7", "min_score": 1}]},
        11: {"after": ["task 10"]},
    }
    suite_id = await published_suite(stack, "Gated", text="right", changes=changes)
    provider = (await stack.get(f"/api/providers/{stack.provider_id}"))["name"]
    for model in GATED_MODELS:
        says = [{"when": ["What is"], "say": "It is right."}]
        if model in WRONG:
            says.insert(0, {"when": [f"What is {WRONG[model]} +"], "say": "No idea."})
        await stack.control(model=model, says=says, hold=CALLS_BETWEEN)
    body = {
        "suite_id": suite_id,
        "models": [{"name": model, "provider": provider} for model in GATED_MODELS],
        "judge": {"name": GATED_JUDGE, "provider": provider},
        "check_providers": False,
    }
    run_id = (await stack.post("/v1/benchmarks/runs", body))["run_id"]
    for model in GATED_MODELS:
        await stack.until_held(model)
        await stack.services["orchestrator"].kill()
        await stack.control(model=model, hold=None)
        await stack.services["orchestrator"].start()
    run = await stack.until_status(run_id, "FINISHED")

    items_per_model = TASKS * CASES + CASES
    skipped = sum(len(tasks) for tasks in SKIPPED.values()) * CASES
    asked = items_per_model * len(GATED_MODELS) - skipped
    assert run["outcome"] == "complete"
    assert run["counts"] == {
        "items": asked + skipped,
        "answered": asked,
        "judged": asked,
        "failed": 0,
        "skipped": skipped,
    }
    items = await stack.items(run_id)
    assert len({(item["task_id"], item["epoch"], item["target_label"]) for item in items}) == len(items)
    found: dict[str, set[str]] = {model: set() for model in GATED_MODELS}
    for item in items:
        if item["status"] == "SKIPPED":
            found[item["model"]].add(item["suite_task"])
            assert item["reason"].startswith("Skipped: ")
    assert {model: sorted(tasks) for model, tasks in found.items()} == SKIPPED
    assert {item["attempts"] for item in items if item["status"] != "SKIPPED"} == {1}

    calls = await stack.ledger()
    groups = [(model, list(of_model)) for model, of_model in itertools.groupby(calls, lambda call: call["model"])]
    assert [model for model, _ in groups] == [*GATED_MODELS, GATED_JUDGE], "each model is loaded once"
    of_models = [1 + items_per_model - CASES * len(SKIPPED[model]) for model in GATED_MODELS]
    assert [len(of_model) for _, of_model in groups] == [*of_models, 1 + CASES * 2]
    warmed = Counter(call["model"] for call in calls if WARM_UP in call["prompt"])
    assert warmed == dict.fromkeys((*GATED_MODELS, GATED_JUDGE), 1)
    assert len({call["call_id"] for call in calls}) == len(calls), "no call is paid for twice"

    suite = await stack.get(f"/api/runs/{run_id}/suite")
    for target in suite["targets"]:
        missing = SKIPPED[target["model"]]
        assert sorted(each["task"] for each in target["missing"]) == missing
        assert (target["complete"], target["skipped"]) == (not missing, CASES * len(missing))
        gates = {task["task"]: task["gates"][0] for task in target["tasks"] if task["gates"]}
        assert {name: gate["status"] for name, gate in gates.items()} == {
            name: "FAILED" if name in missing else "PASSED" for name in ("task 9", "task 10")
        }
