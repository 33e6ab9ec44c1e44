"""Save a gate, after checking that it is reliable: it must give an unchanged model the verdict *fine* in at least 80 of
100 comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from llmbench.errors import FieldError, Problem
from orchestrator.baselines.ports.judge_checks import JudgeCheckStore
from orchestrator.baselines.ports.schemas import BaselineOut, SavedGate, Undecided
from orchestrator.baselines.ports.store import BaselineGone, BaselineStore, GateExists, GateSettings
from orchestrator.comparison.handlers.check_gate import check
from orchestrator.comparison.handlers.find_columns import find_columns
from orchestrator.comparison.handlers.gate_metric import GateMetric
from orchestrator.comparison.ports.comparison import ColumnRef, ComparisonReader
from orchestrator.comparison.ports.gates import GateCheckOut, GateRequest
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.results.ports.queries import RunReader
from orchestrator.results.ports.schemas import RunSummary


@dataclass(frozen=True)
class GateParts:
    """The dependencies of this module's functions, created when the service starts."""

    store: BaselineStore
    reader: ComparisonReader
    runs: RunReader
    judges: JudgeCheckStore


@dataclass(frozen=True)
class WantedGate:
    metric: str
    margin: float
    undecided: Undecided = "fail"
    cluster_by: str | None = None
    task: str | None = None


@dataclass(frozen=True)
class PlannedGate:
    """The result of applying a gate to an unchanged model. `checks` has an entry per target of the baseline."""

    metric: GateMetric
    checks: Sequence[GateCheckOut]

    @property
    def weakest(self) -> GateCheckOut:
        return min(self.checks, key=lambda check: check.probability_fine)


async def plan(at: GateParts, run: RunSummary, wanted: WantedGate, *, anchored: bool) -> PlannedGate:
    """Measure how reliable a gate is, by comparing the run with itself many times. `anchored` is true if later runs are
    also compared with an anchor that is another run than the baseline.

    Raises a `Problem`: 409 while the run is active, 422 if the gate cannot be used on this run, for instance if no
    answer has the metric.
    """
    columns = await find_columns(at.reader, [ColumnRef(run.id, target.id) for target in run.targets])
    request = GateRequest(wanted.metric, wanted.margin, task=wanted.task)
    try:
        named, checks = await check(
            at.reader, columns, request, cluster_by=wanted.cluster_by, references=2 if anchored else 1
        )
    except Problem as problem:
        raise _of_this_body(problem) from None
    return PlannedGate(named, checks)


async def add_gate(at: GateParts, baseline: BaselineOut, wanted: WantedGate) -> UUID:
    """Add a gate to the baseline, and return its id.

    Raises a `Problem`. Status 404: the baseline or its run was deleted. Status 409: the run is active, or the baseline
    already has a gate on this metric. Status 422: the gate cannot be used on the run, or it would give an unchanged
    model the verdict *fine* too rarely.
    """
    settings = await _settings(at, baseline, wanted)
    try:
        return await at.store.add_gate(baseline.id, settings)
    except GateExists:
        raise _exists(settings) from None
    except BaselineGone:
        raise no_baseline(baseline.id) from None


async def change_gate(at: GateParts, baseline: BaselineOut, gate: SavedGate, wanted: WantedGate) -> None:
    """Change the gate. Raises a `Problem`. Status 404: the gate or the baseline's run was deleted. Status 409: the run
    is active, or the baseline has another gate on this metric. Status 422: the gate cannot be used on the run, or it
    would give an unchanged model the verdict *fine* too rarely."""
    settings = await _settings(at, baseline, wanted)
    try:
        changed = await at.store.change_gate(gate.id, settings)
    except GateExists:
        raise _exists(settings) from None
    if not changed:
        raise no_gate(gate.id)


async def check_saved(at: GateParts, baseline: BaselineOut, gate: SavedGate) -> PlannedGate:
    """Measure how reliable a saved gate is, by comparing the baseline with itself.

    Raises a `Problem`: 404 if the baseline's run was deleted, 409 while that run is active, 422 if the gate cannot be
    used on it.
    """
    return await plan(at, await baseline_run(at, baseline), wanted_of(gate), anchored=is_anchored(baseline))


def wanted_of(gate: SavedGate) -> WantedGate:
    return WantedGate(gate.metric, gate.margin, gate.undecided, gate.cluster_by, gate.task)


def is_anchored(baseline: BaselineOut) -> bool:
    """Return whether anchor and baseline are different runs."""
    return baseline.anchor.id != baseline.run.id


async def baseline_run(at: GateParts, baseline: BaselineOut) -> RunSummary:
    run = await at.runs.run(baseline.run.id)
    if run is None:
        raise no_run(baseline.run.id)
    return run


def no_baseline(id_: UUID) -> Problem:
    return Problem(404, "No such baseline", f"There is no baseline {id_}.")


def no_gate(id_: UUID) -> Problem:
    return Problem(404, "No such gate", f"There is no gate {id_}.")


async def _settings(at: GateParts, baseline: BaselineOut, wanted: WantedGate) -> GateSettings:
    run = await baseline_run(at, baseline)
    planned = await plan(at, run, wanted, anchored=is_anchored(baseline))
    weakest = planned.weakest
    if not weakest.holds:
        raise Problem(
            422,
            "A gate that cannot decide",
            f"'{weakest.label}' of '{run.name}': {weakest.sentence}",
            errors=[FieldError("margin", weakest.sentence)],
            extra={
                "probability_fine": weakest.probability_fine,
                "clusters_needed": weakest.clusters_needed,
                "margin_needed": weakest.margin_needed,
            },
        )
    return GateSettings(
        metric=planned.metric.key,
        task=planned.metric.task,
        margin=wanted.margin,
        undecided=wanted.undecided,
        cluster_by=wanted.cluster_by,
        probability_fine=weakest.probability_fine,
        clusters=weakest.clusters,
    )


def _exists(settings: GateSettings) -> Problem:
    of_task = "" if settings.task is None else f" of the task '{settings.task}'"
    message = f"this baseline already has a gate on {settings.metric}{of_task}: change that one, or delete it first"
    return Problem(409, "Already exists", message, errors=[FieldError("metric", "has a gate already")])


def _of_this_body(problem: Problem) -> Problem:
    """Return the problem with `gate.` removed from its field names. The request body of a gate has these fields at its
    top level."""
    errors = [FieldError(error.field.removeprefix("gate."), error.message) for error in problem.errors]
    return Problem(problem.status, problem.title, problem.detail, errors=errors)
