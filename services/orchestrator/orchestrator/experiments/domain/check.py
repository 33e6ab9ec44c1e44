"""Check a requested experiment by itself, without its sources and providers."""

from collections.abc import Iterator, Sequence
from typing import Any

from llmbench.contracts.experiment_words import ExperimentType
from llmbench.errors import FieldError
from orchestrator.experiments.domain.metrics import PLAIN, is_relative
from orchestrator.experiments.domain.requested import NewExperiment
from orchestrator.experiments.domain.words import Design

_TOLERANCE = 1e-6


def faults(new: NewExperiment) -> list[FieldError]:
    """Return everything that is wrong with the experiment, each with the field at fault."""
    return [*_variants(new), *_metrics(new), *_config(new), *_cases(new)]


def names_of_evaluators(evaluators: Sequence[dict[str, Any]]) -> list[str]:
    """Return the names that the requested evaluators get in the results of a run."""
    return [evaluator.get("name") or evaluator["kind"] for evaluator in evaluators]


def _variants(new: NewExperiment) -> Iterator[FieldError]:
    controls = [variant.name for variant in new.variants if variant.is_control]
    if not controls:
        yield FieldError("variants", "there is no control: set is_control of the variant that is in use today")
    if len(controls) > 1:
        named = " and ".join(f"'{name}'" for name in controls[:3])
        yield FieldError("variants", f"{named} are both the control: keep is_control of one variant only")
    total = sum(variant.traffic_allocation for variant in new.variants)
    if abs(total - 1) > _TOLERANCE:
        yield FieldError("variants", f"the traffic allocations add up to {total:g} instead of 1")
    seen: set[str] = set()
    for index, variant in enumerate(new.variants):
        if variant.name.casefold() in seen:
            yield FieldError(f"variants.{index}.name", f"another variant is called '{variant.name}'")
        seen.add(variant.name.casefold())
        if variant.traffic_allocation <= 0:
            yield FieldError(f"variants.{index}.traffic_allocation", "has to be above 0: leave the variant out instead")


def _metrics(new: NewExperiment) -> Iterator[FieldError]:
    seen = {new.primary_metric: "the primary metric"}
    for index, guardrail in enumerate(new.guardrails):
        field = f"guardrail_metrics.{index}"
        if guardrail.metric in seen:
            message = f"'{guardrail.metric}' is {seen[guardrail.metric]} already: choose another metric"
            yield FieldError(field, message)
        seen.setdefault(guardrail.metric, "a guardrail")
        if not guardrail.relative and guardrail.margin >= 1:
            message = f"a margin of {guardrail.margin:g} allows any loss: scores and rates are from 0 to 1"
            yield FieldError(f"{field}.margin", message)
    evaluators = new.setup["evaluators"]
    if new.outside or (evaluators is None and new.primary_metric not in PLAIN):
        return
    known = names_of_evaluators(evaluators or [])
    named = [("primary_metric", new.primary_metric)]
    named += [(f"guardrail_metrics.{index}", guardrail.metric) for index, guardrail in enumerate(new.guardrails)]
    for field, metric in named:
        if metric not in PLAIN and metric not in known:
            there = ", ".join([*PLAIN, *known])
            yield FieldError(field, f"no evaluator gives '{metric}': name it in evaluators, or choose one of {there}")


def _config(new: NewExperiment) -> Iterator[FieldError]:
    config = new.config
    least, most = config.minimum_sample_size, config.maximum_sample_size
    if least is not None and most is not None and least > most:
        yield FieldError("config.minimum_sample_size", f"{least:,} is more than maximum_sample_size, {most:,}")
    if new.type is ExperimentType.MULTI_ARM_BANDIT and config.design is Design.PAIRED:
        yield FieldError("config.design", "a bandit gives each case to one variant: choose split")
    if new.outside and config.design is Design.PAIRED:
        yield FieldError("config.design", "a unit outside gets one variant: choose split, or name sources")
    if new.outside and new.type is ExperimentType.MULTI_ARM_BANDIT:
        yield FieldError("type", "a bandit allocates the cases of its own rounds: name sources, or choose AB_TEST")
    if not is_relative(new.primary_metric) and config.minimum_effect >= 1:
        yield FieldError("config.minimum_effect", "scores and rates are from 0 to 1, so the effect is below 1")
    if new.outside and config.cluster_by is not None:
        yield FieldError("config.cluster_by", "observations name their own cluster: leave it out")


def _cases(new: NewExperiment) -> Iterator[FieldError]:
    sources = new.setup["sources"]
    if sources is None or new.outside:
        return
    if not sources["collection_ids"] and not sources["dataset_version_ids"]:
        yield FieldError("sources", "name at least one collection or dataset version, or `none`")


def start_faults(new: NewExperiment) -> list[FieldError]:
    """Return the errors that prevent the start of the experiment. A draft may have these errors."""
    if new.setup["sources"] is None:
        message = "there are no cases: name collections or dataset versions, or `none` if you send observations"
        return [FieldError("sources", message)]
    if new.outside:
        return []
    return [
        FieldError(f"variants.{index}.config.model", f"'{variant.name}' has no model with a provider_id")
        for index, variant in enumerate(new.variants)
        if not (variant.config.get("model") or {}).get("provider_id")
    ]
