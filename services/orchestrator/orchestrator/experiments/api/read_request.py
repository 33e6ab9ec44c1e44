"""Convert the body of a request to a new experiment, and a stored experiment to the run that a round starts."""

import secrets
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from llmbench.contracts.experiment_words import ExperimentType
from llmbench.errors import FieldError
from orchestrator.experiments.api.bodies import MAX_SEED, ConfigIn, ExperimentIn, GuardrailIn, VariantIn
from orchestrator.experiments.domain.metrics import PLAIN, Guardrail, guardrail
from orchestrator.experiments.domain.records import Experiment, Variant
from orchestrator.experiments.domain.requested import OUTSIDE, Config, NewExperiment, NewVariant
from orchestrator.experiments.domain.words import Design, Direction
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.api.bodies import CreateRun
from orchestrator.runs.api.endpoints import new_run

_SETUP = ("sources", "evaluators", "judge", "panel", "calls")


def requested(body: ExperimentIn, seed: int | None = None) -> NewExperiment:
    """Return the experiment that the body describes, with its defaults filled in. If the body has no seed, the
    experiment gets `seed`. If that is `None` as well, it gets a random seed."""
    usual = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
    return NewExperiment(
        name=body.name,
        hypothesis=body.hypothesis,
        notes=body.notes,
        type=body.type,
        primary_metric=body.primary_metric,
        guardrails=[_guardrail(each) for each in body.guardrail_metrics],
        config=_config(body.config, body),
        seed=usual if body.config.seed is None else body.config.seed,
        variants=_variants(body.variants),
        setup=body.model_dump(mode="json", include=set(_SETUP)) | {"evaluators": _evaluators(body)},
    )


def _guardrail(chosen: str | GuardrailIn) -> Guardrail:
    if isinstance(chosen, str):
        return guardrail(chosen)
    return guardrail(chosen.metric, chosen.margin, None if chosen.direction is None else Direction(chosen.direction))


def _config(config: ConfigIn, body: ExperimentIn) -> Config:
    split = body.type is ExperimentType.MULTI_ARM_BANDIT or body.sources == OUTSIDE
    values = config.model_dump(exclude={"seed", "design"})
    return Config(**values, design=config.design or (Design.SPLIT if split else Design.PAIRED))


def _variants(variants: list[VariantIn]) -> list[NewVariant]:
    given = [variant for variant in variants if variant.traffic_allocation is not None]
    if given and len(given) < len(variants):
        errors = [
            FieldError(f"variants.{index}.traffic_allocation", "give all variants a share, or none")
            for index, variant in enumerate(variants)
            if variant.traffic_allocation is None
        ]
        raise invalid(errors, "experiment")
    return [
        NewVariant(
            name=variant.name,
            is_control=variant.is_control,
            traffic_allocation=1 / len(variants) if variant.traffic_allocation is None else variant.traffic_allocation,
            config=variant.config.model_dump(mode="json", exclude_unset=True),
        )
        for variant in variants
    ]


def _evaluators(body: ExperimentIn) -> list[dict[str, Any]] | None:
    """Return the evaluators of the experiment's runs. If the body has none, they follow from its metrics: the metric
    `contains`, for example, needs the evaluator `contains`. Evaluators of guardrails get weight 0.

    Return `None` if the body has no evaluators and its primary metric needs none, such as `cost`. Return `None` also
    if the body has no evaluators and the experiment is run outside llmbench.
    """
    if body.evaluators is not None:
        return [evaluator.model_dump(mode="json", exclude_unset=True) for evaluator in body.evaluators]
    if body.sources == OUTSIDE or body.primary_metric in PLAIN:
        return None
    guardrails = [each if isinstance(each, str) else each.metric for each in body.guardrail_metrics]
    named = [metric for metric in guardrails if metric not in PLAIN and metric != body.primary_metric]
    return [{"kind": body.primary_metric}, *({"kind": metric, "weight": 0} for metric in dict.fromkeys(named))]


def run_of(experiment: Experiment, variants: Sequence[Variant]) -> NewRun:
    """Return a queued run of these variants over all cases of the sources. The caller limits it to a round's cases.

    Raises a 422 `Problem` if the experiment is no longer valid, for example after an update of llmbench.
    """
    setup = experiment.setup
    calls = {name: value for name, value in setup["calls"].items() if value is not None}
    body: dict[str, Any] = {
        **{name: setup[name] for name in ("evaluators", "judge", "panel") if setup[name] is not None},
        **calls,
        **setup["sources"],
        "name": experiment.name,
        "queue": True,
        "cluster_by": experiment.config.cluster_by,
        "targets": [_target(variant) for variant in variants],
    }
    try:
        return new_run(CreateRun.model_validate(body))
    except ValidationError as error:
        faults = [FieldError(".".join(map(str, fault["loc"])) or "body", fault["msg"]) for fault in error.errors()]
        raise invalid(faults, "experiment") from None


def _target(variant: Variant) -> dict[str, Any]:
    config, model = variant.config, variant.config["model"]
    params = dict(config.get("parameters", {}))
    if config.get("system_prompt") is not None:
        params["system_prompt"] = config["system_prompt"]
    return {
        "provider_id": model["provider_id"],
        "model": model["name"],
        "label": variant.name,
        "params": params,
        "prompt_version_id": config.get("prompt_version_id"),
    }
