"""Assign a variant to each unit of an experiment that is run outside llmbench, and store the outcomes of units."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from llmbench.contracts.experiment_words import ExperimentStatus
from llmbench.errors import FieldError, Problem
from orchestrator.experiments.domain.analysis.allocation import assign as assign_unit
from orchestrator.experiments.domain.metrics import PASS_RATE, is_relative
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.domain.setup import stats_variants
from orchestrator.experiments.domain.words import Method
from orchestrator.experiments.handlers.manage import no_experiment
from orchestrator.experiments.ports.outside import Observation, UnitStore, UnitTransaction
from orchestrator.kernel.domain.refusal import invalid


@dataclass(frozen=True)
class SentObservation:
    """An observation as the client sent it."""

    observation_id: str
    unit_id: str
    variant_id: UUID
    value: float | None
    guardrails: Mapping[str, float | None]
    cluster: str | None


async def assign(
    store: UnitStore, experiment: Experiment, unit_ids: Sequence[str], now: datetime
) -> Mapping[str, UUID]:
    """Return the variant of each unit. A unit that already has a variant keeps it; the others get one by a hash of
    their id.

    Raises a 409 `Problem` if the experiment is not run outside llmbench. Also raises one if a unit is new and the
    experiment is not running.
    """
    _require_outside(experiment)
    known = dict(await store.assigned(experiment.id, unit_ids))
    if all(unit_id in known for unit_id in unit_ids):
        return known
    async with store.lock(experiment.id) as work:
        work = _locked(work, experiment)
        _require(work.experiment, ExperimentStatus.RUNNING)
        known |= await work.assigned(unit_ids)
        variants = stats_variants(experiment)
        fresh = {
            unit_id: UUID(assign_unit(experiment.seed, unit_id, variants))
            for unit_id in dict.fromkeys(unit_ids)
            if unit_id not in known
        }
        await work.assign(fresh, now)
    return known | fresh


async def observe(
    store: UnitStore, experiment: Experiment, sent: Sequence[SentObservation], now: datetime
) -> tuple[int, int]:
    """Store the outcomes of units. Return the number of new observations, and the number of those that were already
    stored.

    Raises a `Problem`: 409 if the experiment's state does not allow observations, 422 that names every invalid
    observation. Nothing is stored then.
    """
    _require_outside(experiment)
    async with store.lock(experiment.id) as work:
        work = _locked(work, experiment)
        _require(work.experiment, ExperimentStatus.RUNNING, ExperimentStatus.PAUSED)
        fresh = await _fresh(work, sent)
        await _check(work, fresh)
        observations = [_observation(experiment.id, each) for each in fresh.values()]
        await work.assign({each.unit_id: each.variant_id for each in observations}, now)
        await work.observe(observations, now)
    return len(fresh), len(sent) - len(fresh)


async def _fresh(work: UnitTransaction, sent: Sequence[SentObservation]) -> dict[int, SentObservation]:
    """Return the observations that are not stored yet, by their index in the request. If the request has several
    observations with the same id, only the first one is returned."""
    ids = [_id(work.experiment.id, each) for each in sent]
    seen = set(await work.known(ids))
    fresh: dict[int, SentObservation] = {}
    for place, (id_, each) in enumerate(zip(ids, sent, strict=True)):
        if id_ not in seen:
            seen.add(id_)
            fresh[place] = each
    return fresh


async def _check(work: UnitTransaction, fresh: Mapping[int, SentObservation]) -> None:
    units = [each.unit_id for each in fresh.values()]
    of_units = dict(await work.assigned(units))
    one_each = work.experiment.config.method is Method.SEQUENTIAL
    observed = set(await work.observed(units)) if one_each else set()
    names = {variant.id: variant.name for variant in work.experiment.variants}
    errors: list[FieldError] = []
    for place, each in fresh.items():
        field = f"observations.{place}"
        if each.variant_id not in names:
            known = ", ".join(f"{id_} ({name})" for id_, name in names.items())
            errors.append(FieldError(f"{field}.variant_id", f"is no variant of this experiment: there is {known}"))
            continue
        usual = of_units.setdefault(each.unit_id, each.variant_id)
        if usual != each.variant_id:
            message = f"the unit '{each.unit_id}' has the variant '{names[usual]}': a unit has one variant only"
            errors.append(FieldError(f"{field}.variant_id", message))
        if one_each and (each.unit_id in observed or each.cluster not in (None, each.unit_id)):
            message = (
                f"the unit '{each.unit_id}' has an observation or a cluster already: a sequential experiment takes "
                "one observation of each independent unit"
            )
            errors.append(FieldError(f"{field}.unit_id", message))
        observed.add(each.unit_id)
        errors += _values(work.experiment, field, each)
    if errors:
        raise invalid(errors[:100], "observations")


def _values(experiment: Experiment, field: str, sent: SentObservation) -> Iterator[FieldError]:
    guardrails = {guardrail.metric for guardrail in experiment.guardrails}
    yield from _value(experiment.primary_metric, f"{field}.value", sent.value)
    for metric, value in sent.guardrails.items():
        place = f"{field}.guardrails.{metric}"
        if metric in guardrails:
            yield from _value(metric, place, value)
        else:
            known = ", ".join(sorted(guardrails)) or "none"
            yield FieldError(place, f"'{metric}' is no guardrail of this experiment: there is {known}")


def _value(metric: str, field: str, value: float | None) -> Iterator[FieldError]:
    if value is None:
        return
    if not math.isfinite(value):
        yield FieldError(field, "has to be a finite number; send null for a missing value")
    elif is_relative(metric) and value < 0:
        yield FieldError(field, f"{value:g} is below 0, which '{metric}' cannot be")
    elif metric == PASS_RATE and value not in (0, 1):
        yield FieldError(field, f"{value:g} is neither 1 for passed nor 0 for failed")
    elif not is_relative(metric) and not 0 <= value <= 1:
        yield FieldError(field, f"{value:g} is not from 0 to 1: divide the values of '{metric}' by their largest value")


def _observation(experiment_id: UUID, sent: SentObservation) -> Observation:
    return Observation(
        id=_id(experiment_id, sent),
        unit_id=sent.unit_id,
        variant_id=sent.variant_id,
        value=sent.value,
        guardrails=sent.guardrails,
        cluster=sent.cluster or sent.unit_id,
    )


def _id(experiment_id: UUID, sent: SentObservation) -> UUID:
    return uuid5(experiment_id, f"observation {sent.observation_id}")


def _locked(work: UnitTransaction | None, experiment: Experiment) -> UnitTransaction:
    if work is None:
        raise no_experiment(experiment.id)
    return work


def _require_outside(experiment: Experiment) -> None:
    if not experiment.outside:
        detail = (
            f"The cases of '{experiment.name}' are answered in its own rounds. Only an experiment with the sources "
            "`none` assigns units and takes observations."
        )
        raise Problem(409, "The experiment has rounds of its own", detail)


def _require(experiment: Experiment, *states: ExperimentStatus) -> None:
    if experiment.stop is not None:
        detail = f"The experiment '{experiment.name}' has stopped: {experiment.stop.sentence} Conclude it."
        raise Problem(409, "The experiment has stopped", detail)
    if experiment.status not in states:
        detail = f"The experiment '{experiment.name}' is {experiment.status}, not {' or '.join(states)}."
        raise Problem(409, "The experiment does not run", detail, extra={"experiment_status": experiment.status})
