"""Which evaluators the metrics of an evaluation are, and which model they ask."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from llmbench.contracts.list_evaluators import EvaluatorInfo
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.errors import FieldError
from orchestrator.domain.limits import Limits
from orchestrator.domain.new_run import EvaluatorChoice, Judge, Panel
from orchestrator.domain.placement import is_local
from orchestrator.handlers.create_run import ModelDirectory, check_models, offers
from orchestrator.handlers.refusal import invalid
from orchestrator.ports.evaluation_inputs import BatchConfig, CreateBatch, CreateEvaluation, EvaluationConfig
from orchestrator.ports.inputs import EvaluatorInput, JudgeChoice, PanelChoice

Asked = CreateEvaluation | CreateBatch
_BY_CRITERION = "g_eval"
_JUDGE = "config.judge"


def wanted(body: Asked, known: Sequence[EvaluatorInfo], judge: Judge | None) -> list[EvaluatorChoice]:
    """Metrics in their order, then evaluators. Raises a 422 `Problem` naming each that there is not."""
    kinds = {one.kind: one for one in known}
    criteria = _criteria(kinds)
    errors = _unused(body)
    choices = []
    for index, metric in enumerate(body.metrics):
        place = f"metrics.{index}"
        rubric = body.config.custom_rubrics.get(metric)
        if rubric is not None:
            params = {"criterion": "custom", "name": metric, **rubric}
            choices.append(EvaluatorChoice(_BY_CRITERION, place, judge, _JUDGE, name=metric, params=params))
        elif metric in criteria:
            params = {"criterion": metric}
            choices.append(EvaluatorChoice(_BY_CRITERION, place, judge, _JUDGE, name=metric, params=params))
        elif metric in kinds:
            choices.append(EvaluatorChoice(metric, place, judge, _JUDGE))
        else:
            there = ", ".join([*criteria, *sorted(kinds)])
            errors.append(FieldError(place, f"there is no metric '{metric}'; there is {there}, or a custom rubric"))
    choices = [replace(choice, judge_shared=True) for choice in choices]
    choices += [_choice(index, one, judge) for index, one in enumerate(body.evaluators)]
    if not choices and not errors:
        errors.append(FieldError("metrics", "name at least one, or an evaluator"))
    if errors:
        raise invalid(errors, "evaluation")
    return choices


def asks_judge(body: Asked, known: Sequence[EvaluatorInfo]) -> bool:
    """Whether any of it asks the evaluation's judge; what does not exist is told elsewhere."""
    programs = {one.kind for one in known if not one.needs_judge}
    by_judge = {one.kind for one in known if one.needs_judge}
    return any(metric in body.config.custom_rubrics or metric not in programs for metric in body.metrics) or any(
        one.kind in by_judge and one.judge is None and one.panel is None for one in body.evaluators
    )


async def choose_judge(
    directory: ModelDirectory,
    providers: Mapping[UUID, ProviderSnapshot],
    config: EvaluationConfig | BatchConfig,
) -> Judge:
    """Raises a 422 `Problem` unless it is one model of one provider."""
    parallelism = config.parallelism if isinstance(config, BatchConfig) else 1
    if config.judge is not None:
        return await _named(directory, providers, config.judge, parallelism, check=config.check_providers)
    field, model = "config.evaluator_model", config.evaluator_model
    listed = await asyncio.gather(*(directory.list_models(provider) for provider in providers.values()))
    having = [one for one, answer in zip(providers.values(), listed, strict=True) if offers(answer.models, model)]
    if len(having) == 1:
        chosen = JudgeChoice(provider_id=having[0].provider_id, model=model)
        return _judge(chosen, having[0], parallelism)
    if having:
        there = ", ".join(f"{one.name} ({one.provider_id})" for one in having)
        message = f"{len(having)} providers have the model '{model}': {there}. Name one in config.judge"
        raise invalid([FieldError(field, message)], "evaluation")
    silent = [one.name for one, answer in zip(providers.values(), listed, strict=True) if answer.problem]
    hint = f" ({', '.join(silent)} did not answer)" if silent else ""
    message = f"no provider has the model '{model}'{hint}. Name another, or model and provider in config.judge"
    raise invalid([FieldError(field, message)], "evaluation")


async def _named(
    directory: ModelDirectory,
    providers: Mapping[UUID, ProviderSnapshot],
    choice: JudgeChoice,
    parallelism: int,
    *,
    check: bool,
) -> Judge:
    provider = providers.get(choice.provider_id)
    if provider is None:
        message = f"there is no provider {choice.provider_id}; GET /api/providers lists those there are"
        raise invalid([FieldError(f"{_JUDGE}.provider_id", message)], "evaluation")
    if check:
        await check_models(directory, [(_JUDGE, choice.provider_id, choice.model)], {provider.provider_id: provider})
    return _judge(choice, provider, parallelism)


def _judge(choice: JudgeChoice, provider: ProviderSnapshot, parallelism: int) -> Judge:
    """A local model answers one call at a time, unless somebody says that it can do more."""
    most = choice.concurrency or (1 if is_local(provider) else parallelism)
    return Judge(choice.provider_id, choice.model, choice.params, min(parallelism, most))


def _criteria(kinds: Mapping[str, EvaluatorInfo]) -> list[str]:
    """As the judge service says them: of G-Eval all but the one that stands for a user's own."""
    known = kinds.get(_BY_CRITERION)
    schema: Any = known.params_schema if known else {}
    words = schema.get("properties", {}).get("criterion", {}).get("enum", [])
    return [word for word in words if word != "custom"]


def _choice(index: int, one: EvaluatorInput, judge: Judge | None) -> EvaluatorChoice:
    place = f"evaluators.{index}"
    shared = one.judge is None and one.panel is None
    return EvaluatorChoice(
        kind=one.kind,
        place=place,
        judge=judge if shared else _own(one.judge) if one.judge else None,
        panel=_own_panel(one.panel) if one.panel else None,
        judge_place=_JUDGE if shared else f"{place}.{'judge' if one.judge else 'panel'}",
        judge_shared=shared,
        name=one.name,
        params=one.params,
        weight=one.weight,
        required=one.required,
        pass_threshold=one.pass_threshold,
        limits=Limits(one.only, one.unless),
    )


def _own(choice: JudgeChoice) -> Judge:
    return Judge(choice.provider_id, choice.model, choice.params, choice.concurrency or 1)


def _own_panel(choice: PanelChoice) -> Panel:
    return Panel(tuple(map(_own, choice.judges)), quorum=choice.quorum or len(choice.judges))


def _unused(body: Asked) -> list[FieldError]:
    return [
        FieldError(f"config.custom_rubrics.{name}", "is no metric of this evaluation: name it in metrics as well")
        for name in body.config.custom_rubrics
        if name not in body.metrics
    ]
