"""Map the metrics of an evaluation to evaluators, and choose the judge that they call."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from llmbench.contracts.list_evaluators import EvaluatorInfo
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import FieldError
from orchestrator.evaluations.domain.requested import JUDGE, JudgeRequest, Requested
from orchestrator.kernel.domain.local_provider import is_local
from orchestrator.kernel.domain.new_run import EvaluatorChoice, Judge
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.handlers.create_run import check_models, offers
from orchestrator.runs.ports.directory import ModelDirectory

_BY_CRITERION = "g_eval"


def evaluator_choices(
    requested: Requested, known: Sequence[EvaluatorInfo], judge: Judge | None
) -> list[EvaluatorChoice]:
    """Return the evaluators for the requested metrics, in the order of the metrics, and then the requested evaluators.

    `known` are all evaluators of the judge service. `judge` is the judge that evaluators without their own judge or
    panel share; `None` if it is not chosen yet, or none is needed. Raises a 422 `Problem` that names each unknown
    metric, and each custom rubric whose name is not among the requested metrics. Also raises one if the request has
    neither metrics nor evaluators.
    """
    kinds = {evaluator.kind: evaluator for evaluator in known}
    criteria = _criteria(kinds)
    errors = _unused(requested)
    choices = []
    for index, metric in enumerate(requested.metrics):
        place = f"metrics.{index}"
        rubric = requested.custom_rubrics.get(metric)
        if rubric is not None:
            params = {"criterion": "custom", "name": metric, **rubric}
            choices.append(EvaluatorChoice(_BY_CRITERION, place, judge, JUDGE, name=metric, params=params))
        elif metric in criteria:
            params = {"criterion": metric}
            choices.append(EvaluatorChoice(_BY_CRITERION, place, judge, JUDGE, name=metric, params=params))
        elif metric in kinds:
            choices.append(EvaluatorChoice(metric, place, judge, JUDGE))
        else:
            names = ", ".join([*criteria, *sorted(kinds)])
            errors.append(FieldError(place, f"there is no metric '{metric}'; there is {names}, or a custom rubric"))
    choices = [replace(choice, judge_shared=True) for choice in choices]
    choices += [
        replace(evaluator, judge=judge) if evaluator.judge_shared else evaluator for evaluator in requested.evaluators
    ]
    if not choices and not errors:
        errors.append(FieldError("metrics", "name at least one, or an evaluator"))
    if errors:
        raise invalid(errors, "evaluation")
    return choices


def asks_judge(requested: Requested, known: Sequence[EvaluatorInfo]) -> bool:
    """Return whether the evaluation needs its shared judge. Metrics that a judge scores need it, and so do evaluators
    that call a judge but have no judge or panel of their own. For an unknown metric, return `True`."""
    programs = {evaluator.kind for evaluator in known if not evaluator.needs_judge}
    by_judge = {evaluator.kind for evaluator in known if evaluator.needs_judge}
    return any(metric in requested.custom_rubrics or metric not in programs for metric in requested.metrics) or any(
        evaluator.kind in by_judge and evaluator.judge_shared for evaluator in requested.evaluators
    )


async def choose_judge(
    directory: ModelDirectory,
    providers: Mapping[UUID, ProviderSnapshot],
    requested: Requested,
    *,
    hosted: frozenset[str] = frozenset(),
) -> Judge:
    """Return the requested judge, or else the model `evaluator_model` on the only one of `providers` that has it.

    Raises a `Problem`: 422 if the requested judge cannot be used, or if not exactly one provider has the model; 503 if
    the gateway does not answer.
    """
    if requested.judge is not None:
        return await _named(
            directory, providers, requested.judge, requested.parallelism, check=requested.check_providers, hosted=hosted
        )
    field, model = "config.evaluator_model", requested.evaluator_model
    listed = await asyncio.gather(*(directory.list_models(provider) for provider in providers.values()))
    having = [
        provider for provider, answer in zip(providers.values(), listed, strict=True) if offers(answer.models, model)
    ]
    if len(having) == 1:
        chosen = JudgeRequest(having[0].provider_id, model, requested.usual_judge_params)
        return _judge(chosen, having[0], requested.parallelism, hosted)
    if having:
        names = ", ".join(f"{provider.name} ({provider.provider_id})" for provider in having)
        message = f"{len(having)} providers have the model '{model}': {names}. Name one in config.judge"
        raise invalid([FieldError(field, message)], "evaluation")
    silent = [provider.name for provider, answer in zip(providers.values(), listed, strict=True) if answer.problem]
    hint = f" ({', '.join(silent)} did not answer)" if silent else ""
    message = f"no provider has the model '{model}'{hint}. Name another, or model and provider in config.judge"
    raise invalid([FieldError(field, message)], "evaluation")


async def _named(
    directory: ModelDirectory,
    providers: Mapping[UUID, ProviderSnapshot],
    choice: JudgeRequest,
    parallelism: int,
    *,
    check: bool,
    hosted: frozenset[str],
) -> Judge:
    provider = providers.get(choice.provider_id)
    if provider is None:
        message = f"there is no provider {choice.provider_id}; GET /api/providers lists those there are"
        raise invalid([FieldError(f"{choice.place}.provider_id", message)], "evaluation")
    if check:
        chosen = [(choice.place, choice.provider_id, choice.model)]
        switch = choice.place.removesuffix("judge") + "check_providers"
        await check_models(directory, chosen, {provider.provider_id: provider}, switch=switch)
    return _judge(choice, provider, parallelism, hosted)


def _judge(choice: JudgeRequest, provider: ProviderSnapshot, parallelism: int, hosted: frozenset[str]) -> Judge:
    """Return the judge with its limit of concurrent calls: `choice.concurrency`, but at most `parallelism`. If the
    request has none, the limit is 1 for a local model, and `parallelism` for any other. `hosted` is that of `is_local`.
    """
    limit = choice.concurrency or (1 if is_local(provider, hosted=hosted) else parallelism)
    return Judge(choice.provider_id, choice.model, choice.params, min(parallelism, limit))


def _criteria(kinds: Mapping[str, EvaluatorInfo]) -> list[str]:
    """Return the built-in criteria of the evaluator G-Eval. The judge service lists them in the schema of the
    evaluator's parameters."""
    known = kinds.get(_BY_CRITERION)
    schema: Any = known.params_schema if known else {}
    criteria = schema.get("properties", {}).get("criterion", {}).get("enum", [])
    return [criterion for criterion in criteria if criterion != "custom"]


def _unused(requested: Requested) -> list[FieldError]:
    return [
        FieldError(f"config.custom_rubrics.{name}", "is no metric of this evaluation: name it in metrics as well")
        for name in requested.custom_rubrics
        if name not in requested.metrics
    ]
