"""Plan an experiment: the sample that its minimum effect needs, and what that costs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final
from uuid import UUID

from orchestrator.experiments.domain.analysis import types as stats
from orchestrator.experiments.domain.analysis.planning import plan
from orchestrator.experiments.domain.judges import judges_of
from orchestrator.experiments.domain.metrics import is_relative
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.domain.requested import NewExperiment
from orchestrator.experiments.domain.round_size import round_count, round_size
from orchestrator.experiments.domain.setup import planning_setup
from orchestrator.experiments.domain.words import Design
from orchestrator.experiments.ports.reading import ExperimentReader, Model, Pace
from orchestrator.experiments.ports.schemas import EffectPoint, ExperimentPlan, VariantPlan
from orchestrator.runs.ports.catalogue import EvaluatorCatalogue

ASSUMED_VARIANCE: Final = 0.25
"""The variance that is assumed without earlier results. It is that of a pass rate of one half, the largest that values
from 0 to 1 can have. For cost and latency, it is a standard deviation of half the mean."""
OUTSIDE_UNITS: Final = 1_000_000
_NEAR_0: Final = 1e-6


@dataclass(frozen=True)
class Planning:
    """The dependencies of the functions that plan experiments."""

    reader: ExperimentReader
    catalogue: EvaluatorCatalogue


@dataclass(frozen=True)
class _Work:
    """The calls for one answer, with their paces: mean time and cost, or `None` if unknown. `answers` has the pace of
    each variant's model, in the order of the variants. `judges` has the model and the pace of each call to a judge."""

    answers: Sequence[Pace | None]
    judges: Sequence[tuple[Model, Pace | None]]

    def costs(self, new: NewExperiment, calls: float) -> Mapping[str, stats.VariantCost]:
        """Return the cost in US dollars and the time in seconds of one cluster, by the name of the variant. `calls` is
        the mean number of cases in a cluster."""
        judges = [pace for _, pace in self.judges]
        return {
            variant.name: stats.VariantCost(
                calls=calls,
                cost_usd=_total([None if each is None else each.cost_usd for each in (pace, *judges)], calls),
                seconds=_total([None if each is None else each.seconds for each in (pace, *judges)], calls),
            )
            for variant, pace in zip(new.variants, self.answers, strict=True)
        }


@dataclass(frozen=True)
class _Basis:
    variance: float
    words: str


async def planned_sample(at: Planning, experiment: Experiment, *, cases: int, clusters: int) -> int:
    """Return the sample size per variant, in clusters, with which the experiment is started."""
    new = experiment.as_requested()
    return _sample(new, await _basis(at, new, None), {}, cases=cases, clusters=clusters).planned


async def plan_experiment(at: Planning, new: NewExperiment, standard_deviation: float | None) -> ExperimentPlan:
    """Return the plan of a requested experiment: its sample size, rounds, calls and cost. Raises a 422 `Problem` if a
    case lacks the metadata key that clusters the cases."""
    sources = new.setup["sources"]
    known = sources is not None and not new.outside
    order = await at.reader.order(sources, new.config.cluster_by) if known else []
    cases, clusters = len(order), order[-1].cluster + 1 if order else 0
    basis = await _basis(at, new, standard_deviation)
    work = await _work(at, new)
    costs = work.costs(new, max(1.0, cases / clusters) if clusters else 1.0)
    sample = _sample(new, basis, costs, cases=cases, clusters=clusters)
    paired = new.config.design is Design.PAIRED
    total = sample.planned if paired else min(clusters, sample.planned * len(new.variants))
    return ExperimentPlan(
        sample_size=sample.sample_size,
        planned=sample.planned,
        cases=cases,
        clusters=clusters,
        enough=sample.enough,
        power=sample.power,
        minimum_detectable_effect=sample.minimum_detectable_effect,
        rounds=0 if new.outside else round_count(new.config, total, is_bandit=new.is_bandit),
        round_size=0 if new.outside else round_size(new.config, total, is_bandit=new.is_bandit),
        calls=sample.calls,
        judge_calls=sample.calls * len(work.judges),
        expected_calls=sample.expected_calls,
        cost_usd=sample.cost_usd,
        duration_s=sample.duration_s,
        standard_deviation=sample.standard_deviation,
        basis=basis.words,
        method=sample.method,
        curve=[
            EffectPoint(
                effect=point.effect,
                sample_size=point.sample_size,
                power=point.power,
                calls=point.calls,
                cost_usd=point.cost_usd,
            )
            for point in sample.curve
        ],
        variants=[
            VariantPlan(
                name=variant.name,
                cost_per_call_usd=known.cost_usd if known else None,
                seconds_per_call=known.seconds if known else None,
            )
            for variant, known in zip(new.variants, work.answers, strict=True)
        ],
        warnings=[*sample.warnings, *_unknown_judges(work)],
    )


def _sample(
    new: NewExperiment, basis: _Basis, costs: Mapping[str, stats.VariantCost], *, cases: int, clusters: int
) -> stats.SamplePlan:
    """Return the planned sample. If the request has a maximum sample, it is planned instead of the sample that the
    minimum effect needs."""
    unlimited = new.outside or new.setup["sources"] is None
    available = OUTSIDE_UNITS if unlimited else clusters
    if new.config.design is Design.SPLIT and not unlimited:
        available = math.floor(clusters * min(variant.traffic_allocation for variant in new.variants))
    available = max(2, available)
    setup = planning_setup(new)
    planned = partial(
        plan,
        variance=basis.variance,
        power=new.config.power,
        costs=costs,
        concurrency=new.setup["calls"]["concurrency"],
    )
    needed = planned(setup, available=available)
    if new.config.maximum_sample_size is None:
        return needed
    # An effect near 0 needs every available cluster. So the planned sample is the one that the request names.
    most = planned(
        replace(setup, minimum_effect=_NEAR_0),
        available=min(available, new.config.maximum_sample_size),
        effects=[new.config.minimum_effect, *(point.effect for point in needed.curve)],
    )
    return replace(
        most,
        sample_size=needed.sample_size,
        enough=needed.sample_size is not None and needed.sample_size <= most.planned,
        power=most.curve[0].power,
        expected_calls=needed.expected_calls and min(needed.expected_calls, most.calls),
        curve=most.curve[1:],
        warnings=needed.warnings,
    )


async def _basis(at: Planning, new: NewExperiment, standard_deviation: float | None) -> _Basis:
    if standard_deviation is not None:
        return _Basis(standard_deviation**2, "the standard deviation of the request")
    if not is_relative(new.primary_metric):
        earlier = await at.reader.earlier_variance(new.primary_metric, new.config.design)
        if earlier is not None:
            variance, name = earlier
            return _Basis(variance, f"the results of '{name}', the last experiment with this metric and design")
    return _Basis(ASSUMED_VARIANCE, "assumed, because no experiment with this metric and design has ended yet")


async def _work(at: Planning, new: NewExperiment) -> _Work:
    """Return the pace (mean time and cost, from earlier runs) of each variant's model and of each judge that scores an
    answer. An experiment that is run outside llmbench calls no model."""
    if new.outside:
        return _Work([None for _ in new.variants], [])
    models = [(variant.config.get("model") or {}) for variant in new.variants]
    known: list[Model | None] = [
        (UUID(str(model["provider_id"])), str(model["name"])) if model.get("provider_id") else None for model in models
    ]
    answers = await at.reader.paces(list(dict.fromkeys(filter(None, known))), judging=False)
    needs = [await _needs_judge(at, evaluator) for evaluator in new.setup["evaluators"] or []]
    judges = list(judges_of(new.setup, needs))
    verdicts = await at.reader.paces(list(dict.fromkeys(judges)), judging=True)
    return _Work(
        [None if model is None else answers.get(model) for model in known],
        [(model, verdicts.get(model)) for model in judges],
    )


async def _needs_judge(at: Planning, evaluator: Mapping[str, Any]) -> bool:
    """Return whether the evaluator asks a judge. Return `False` if its parameters are invalid; the start of the
    experiment refuses them."""
    described = await at.catalogue.describe(evaluator["kind"], dict(evaluator.get("params") or {}))
    return described.facts is not None and described.facts.needs_judge


def _total(parts: Sequence[float | None], times: float) -> float | None:
    known = [each for each in parts if each is not None]
    return sum(known) * times if len(known) == len(parts) else None


def _unknown_judges(work: _Work) -> list[str]:
    names = list(dict.fromkeys(model for (_, model), pace in work.judges if pace is None or pace.cost_usd is None))
    if not names:
        return []
    return [f"The cost is unknown: no earlier run has a price for verdicts of {', '.join(names)}."]
