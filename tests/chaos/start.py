"""Prepare the run of a plan: set the behaviour of the mock provider's models, create the cases, and build the
request."""

import time
from typing import Any

from tests.chaos.expected import stubborn_question, turn_id, turn_question, unjudged_question
from tests.chaos.plan import MAX_ATTEMPTS, TURNS, Model, Plan
from tests.chaos.start_suite import Providers, Request, request_of_suite
from tests.platform import HOSTED, Platform

_SERVICE = {
    "type": "HTTP_JSON",
    "options": {
        "request": {"question": "{{question}}", "history": "{{history}}"},
        "answer_path": "$.answer",
        "citations_path": "$.citations[*]",
    },
}


async def set_behaviour(stack: Platform, plan: Plan, model: Model) -> None:
    """Set the behaviour of the mock's model as the plan says."""
    says = [{"when": [stubborn_question(plan, task)], "as": how} for task, how in (model.stubborn or {}).items()]
    if plan.unjudged is not None and model in plan.judges:
        when = ([unjudged_question(plan, plan.unjudged)], ["That reply was not usable"])
        says += [{"when": texts, "as": f"{'-'.join(model.name.split('-')[:2])}-unparsed"} for texts in when]
    await stack.control(model=model.name, next=list(model.next), says=says, hold=None)


async def request_of(stack: Platform, plan: Plan) -> Request:
    """Create the plan's providers and cases. Return the request that starts its run."""
    providers = await _providers(stack, plan)
    if plan.suite is not None:
        return await request_of_suite(stack, plan, plan.suite, providers)
    body = {
        "name": f"seed {plan.seed}",
        "targets": [await _target(stack, plan, model, providers) | {"label": model.name} for model in plan.targets],
        "evaluators": _evaluators(plan, providers),
        "timeout_s": plan.timeout_s,
        "max_attempts": MAX_ATTEMPTS,
        "parallel_groups": plan.parallel_groups,
        "check_providers": False,
        **_judge_of_the_run(plan, providers),
        **(await _cases(stack, plan)),
    }
    return Request("run", body)


async def start(stack: Platform, request: Request, **more: Any) -> str:
    """Start a run with `request`; `more` has further fields of its body. Return the run's id."""
    path, id_ = ("/api/runs", "id") if request.kind == "run" else ("/v1/benchmarks/runs", "run_id")
    run_id: str = (await stack.post(path, request.body | more))[id_]
    return run_id


async def _providers(stack: Platform, plan: Plan) -> Providers:
    """Create the hosted providers of the plan. Return the ids of all providers of the plan, by their number in it. The
    number 0 stands for the local provider, which the platform already has."""
    ids = {0: stack.provider_id}
    for number in sorted({model.provider for model in plan.models().values()} - {0}):
        body = {"type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": _url(stack, hosted=True)}
        named = {"name": f"Hosted {number} of seed {plan.seed} at {time.time()}"}
        ids[number] = (await stack.post("/api/providers", body | named))["id"]
    return ids


def _url(stack: Platform, *, hosted: bool) -> str:
    return stack.provider_url.replace("127.0.0.1", HOSTED) if hosted else stack.provider_url


async def _target(stack: Platform, plan: Plan, model: Model, providers: Providers) -> dict[str, Any]:
    """Return a target for the model: it belongs to the model's provider, or is an HTTP_JSON service with its own
    provider."""
    if not plan.services:
        return _model_reference(model, providers)
    base_url = f"{_url(stack, hosted=bool(model.provider))}/rag/{model.name}"
    where = {"name": f"{model.name} at {time.time()}", "base_url": base_url}
    provider_id = (await stack.post("/api/providers", _SERVICE | where))["id"]
    return {"provider_id": provider_id, "model": "default", "concurrency": model.concurrency}


def _judge_of_the_run(plan: Plan, providers: Providers) -> dict[str, Any]:
    """Return the field `judge` of the request. An embedding model or a panel belongs to its evaluator instead."""
    if not plan.judges or plan.evaluators in ("panel", "similarity"):
        return {}
    return {"judge": _model_reference(plan.judges[0], providers)}


def _model_reference(model: Model, providers: Providers) -> dict[str, Any]:
    return {"provider_id": providers[model.provider], "model": model.name, "concurrency": model.concurrency}


def _evaluators(plan: Plan, providers: Providers) -> list[dict[str, Any]]:
    contains = {"kind": "contains", "params": {"text": "a"}, "weight": 0.5}
    exact = {"kind": "exact_match", "weight": 0}
    match plan.evaluators:
        case "rubric and program":
            return [{"kind": "rubric"}, contains]
        case "pairwise":
            return [{"kind": "pairwise", "params": {"opponent": "It depends."}}]
        case "g_eval":
            return [{"kind": "g_eval", "params": {"mode": "samples", "samples": 3}}]
        case "panel":
            judges = [_model_reference(model, providers) for model in plan.judges]
            return [{"kind": "rubric", "panel": {"judges": judges}}]
        case "programs":
            return [contains, exact]
        case "similarity":
            return [_similarity(plan, providers)]
        case "rubric and similarity":
            return [{"kind": "rubric"}, _similarity(plan, providers)]
        case _:
            return [{"kind": "rubric"}]


def _similarity(plan: Plan, providers: Providers) -> dict[str, Any]:
    judge = _model_reference(plan.judges[-1], providers)
    return {"kind": "semantic_similarity", "params": {"embedding": "provider"}, "judge": judge}


async def _cases(stack: Platform, plan: Plan) -> dict[str, Any]:
    if plan.conversations:
        return {"dataset_version_ids": [await _conversations(stack, plan)]}
    name = f"Seed {plan.seed} at {time.time()}"
    chosen = stack.task_ids[: plan.tasks]
    return {"collection_ids": [(await stack.post("/api/collections", {"name": name, "task_ids": chosen}))["id"]]}


async def _conversations(stack: Platform, plan: Plan) -> str:
    lines = ["id,conversation_id,turn,prompt,expected_output"]
    lines += [
        f'{turn_id(talk, turn)},talk-{talk},{turn},"{turn_question(talk, turn)}",No.'
        for talk in range(plan.tasks)
        for turn in range(1, TURNS + 1)
    ]
    name = f"Seed {plan.seed} at {time.time()}"
    dataset_id = (await stack.post("/v1/datasets", {"name": name, "type": "EVALUATION"}))["dataset_id"]
    files = {"file": ("talks.csv", "\n".join(lines).encode())}
    uploaded = await stack.http.post(f"/v1/datasets/{dataset_id}/versions", files=files)
    assert uploaded.status_code == 201, uploaded.text
    version: str = (await stack.post(f"/v1/datasets/{dataset_id}/versions/1/publish"))["version_id"]
    return version
