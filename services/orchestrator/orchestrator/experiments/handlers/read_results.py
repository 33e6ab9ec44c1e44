"""Read the results of experiments, and choose the variants whose cases are compared."""

from uuid import UUID

from llmbench.errors import FieldError, Problem
from orchestrator.experiments.domain.records import Experiment
from orchestrator.experiments.domain.words import Design
from orchestrator.experiments.handlers.record import DecisionRecord
from orchestrator.experiments.handlers.show import shown, shown_round
from orchestrator.experiments.ports.reading import CaseOrder, CaseQuery, ExperimentReader
from orchestrator.experiments.ports.store import ExperimentStore
from orchestrator.kernel.domain.refusal import invalid

MOST_LOOKS = 10_000


def case_query(
    experiment: Experiment,
    variant_id: UUID | None,
    baseline_id: UUID | None,
    *,
    order: CaseOrder,
    limit: int,
    offset: int,
) -> CaseQuery:
    """Return the query for the cases of two variants. By default, the baseline is the control, and the other variant is
    the first one that is not the baseline. Raises a `Problem`: 409 for a split design, 422 for an unknown variant."""
    if experiment.config.design is not Design.PAIRED:
        detail = "In a split design each case has one variant, so no case can be compared with itself."
        raise Problem(409, "There are no pairs", detail)
    known = {variant.id: variant.name for variant in experiment.variants}
    errors = [
        FieldError(field, f"is no variant of this experiment: there is {', '.join(map(str, known))}")
        for field, id_ in (("variant_id", variant_id), ("baseline_id", baseline_id))
        if id_ is not None and id_ not in known
    ]
    if errors:
        raise invalid(errors, "query")
    baseline = baseline_id or experiment.control.id
    other = next(variant.id for variant in experiment.variants if variant.id != baseline)
    return CaseQuery(variant_id or other, baseline, order, limit, offset)


async def decision_record(store: ExperimentStore, reader: ExperimentReader, experiment: Experiment) -> DecisionRecord:
    """Return the rounds, the looks and the conclusion of an experiment (see `DecisionRecord`). Raises a 409 `Problem`
    if the experiment was not started."""
    if experiment.started_at is None:
        detail = f"The experiment '{experiment.name}' is a draft: there is nothing to record yet."
        raise Problem(409, "The experiment has not started", detail)
    looks, _ = await reader.looks(experiment.id, limit=MOST_LOOKS, offset=0)
    return DecisionRecord(
        experiment=shown(experiment, await store.counts(experiment.id)),
        rounds=[shown_round(each) for each in await store.rounds(experiment.id)],
        looks=list(looks),
    )
