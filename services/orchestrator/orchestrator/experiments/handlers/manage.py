"""Create, change and delete experiments."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from llmbench.contracts.experiment_words import ExperimentStatus
from llmbench.errors import FieldError, Problem
from orchestrator.experiments.domain.check import faults
from orchestrator.experiments.domain.metrics import PLAIN
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.domain.requested import NewExperiment
from orchestrator.experiments.ports.store import ExperimentStore, NameTaken
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.ports.catalogue import EvaluatorCatalogue


@dataclass(frozen=True)
class ExperimentParts:
    """The dependencies of this module's functions, created when the service starts."""

    store: ExperimentStore
    catalogue: EvaluatorCatalogue


async def create(at: ExperimentParts, new: NewExperiment, now: datetime) -> UUID:
    """Create an experiment that is not started yet (DRAFT), and return its id. Raises a `Problem`: 422 that names every
    invalid field, or 409 if the name is taken."""
    await check(at.catalogue, new)
    try:
        return await at.store.create(new, now)
    except NameTaken:
        raise _taken(new.name) from None


async def replace(at: ExperimentParts, experiment: Experiment, new: NewExperiment, now: datetime) -> None:
    """Replace an experiment that was not started. After the start, change only name, hypothesis and notes.

    Raises a `Problem`:

    - 409: the name is taken, or the experiment has started and another field would change.
    - 412: the experiment was changed by another request meanwhile.
    - 422: fields are invalid; the problem names each of them.
    """
    try:
        if experiment.status is ExperimentStatus.DRAFT:
            await check(at.catalogue, new)
            changed = await at.store.replace(experiment.id, new, version=experiment.version, now=now)
        else:
            _require_same(experiment, new)
            changed = await at.store.rename(
                experiment.id,
                name=new.name,
                hypothesis=new.hypothesis,
                notes=new.notes,
                version=experiment.version,
                now=now,
            )
    except NameTaken:
        raise _taken(new.name) from None
    if not changed:
        detail = f"The experiment is no longer at version {experiment.version}: read it again and repeat the change."
        raise Problem(412, "Changed meanwhile", detail)


async def delete(at: ExperimentParts, experiment: Experiment) -> None:
    """Delete an experiment that was not started. Raises a 409 `Problem` if it has started."""
    if not await at.store.delete(experiment.id):
        detail = (
            f"The experiment '{experiment.name}' is {experiment.status}: its looks stay on record. Only a DRAFT can be "
            "deleted; conclude it and archive it instead."
        )
        raise Problem(409, "The experiment has started", detail)


async def check(catalogue: EvaluatorCatalogue, new: NewExperiment) -> None:
    """Raise a 422 `Problem` that names every invalid field of the experiment."""
    errors = faults(new)
    for field, metric in _derived(new):
        described = await catalogue.describe(metric, {})
        if any(not problem.field for problem in described.problems):
            there = ", ".join(PLAIN)
            message = f"no evaluator gives '{metric}': choose one of {there}, or an evaluator of GET /api/evaluators"
            errors.append(FieldError(field, message))
    if errors:
        raise invalid(errors, "experiment")


def no_experiment(experiment_id: UUID) -> Problem:
    return Problem(404, "No such experiment", f"There is no experiment {experiment_id}.")


def _derived(new: NewExperiment) -> list[tuple[str, str]]:
    """Return the metrics in the request that have the name of one of its evaluators, such as `rubric`. Each is a pair:
    the field of the request that has the metric, such as `primary_metric`, and the metric's name. Evaluators with
    settings other than a weight are ignored."""
    kinds = {each["kind"] for each in new.setup["evaluators"] or [] if set(each) <= {"kind", "weight"}}
    named = [("primary_metric", new.primary_metric)]
    named += [(f"guardrail_metrics.{index}", each.metric) for index, each in enumerate(new.guardrails)]
    return [(field, metric) for field, metric in named if metric in kinds]


def _require_same(experiment: Experiment, new: NewExperiment) -> None:
    same = {
        "type": experiment.type == new.type,
        "primary_metric": experiment.primary_metric == new.primary_metric,
        "guardrail_metrics": list(experiment.guardrails) == list(new.guardrails),
        "config": experiment.config == new.config and experiment.seed == new.seed,
        "variants": [(each.name, each.is_control, each.traffic_allocation, each.config) for each in experiment.variants]
        == [(each.name, each.is_control, each.traffic_allocation, each.config) for each in new.variants],
        **{name: experiment.setup[name] == new.setup[name] for name in experiment.setup},
    }
    changed = [name for name, unchanged in same.items() if not unchanged]
    if changed:
        message = "cannot change any more: a change after the start would make its results meaningless"
        detail = (
            f"The experiment '{experiment.name}' is {experiment.status}. Only name, hypothesis and notes may change; "
            f"the request changes {', '.join(changed)}. Create another experiment for it."
        )
        raise Problem(409, "The experiment has started", detail, errors=[FieldError(name, message) for name in changed])


def _taken(name: str) -> Problem:
    message = f"another experiment is called '{name}'"
    return Problem(409, "Name taken", message, errors=[FieldError("name", message)])
