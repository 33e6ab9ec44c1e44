"""Make a run the baseline of a subject, or its anchor."""

from dataclasses import dataclass
from uuid import UUID

from llmbench.contracts.run_words import RunOutcome, RunStatus
from llmbench.errors import FieldError, Problem
from orchestrator.baselines.handlers.save_gate import GateParts, no_baseline, plan, wanted_of
from orchestrator.baselines.ports.schemas import BaselineOut
from orchestrator.baselines.ports.store import LabelTaken, NewBaseline, NewPromotion, RunGone
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.subject import Subject, SubjectKind
from orchestrator.results.ports.gate_schemas import Role
from orchestrator.results.ports.schemas import RunSummary


@dataclass(frozen=True)
class WantedPromotion:
    run_id: UUID
    role: Role
    note: str | None


async def create_baseline(at: GateParts, subject: Subject, label: str, run_id: UUID, note: str | None) -> UUID:
    """Create the baseline, and return its id. The run also becomes the anchor, which stays when another run becomes the
    baseline.

    Raises a `Problem`: 422 if there is no such subject or run, 409 if the label is taken or the run cannot be a
    baseline.
    """
    if await at.store.subject_name(subject) is None:
        raise invalid([FieldError("subject.id", f"there is no {subject.kind} {subject.id}")], "baseline")
    run = await _usable_run(at, run_id)
    _require_own(run, subject.kind, subject.id)
    try:
        return await at.store.create(NewBaseline(subject, label, run.id, run.name, note))
    except LabelTaken:
        message = (
            f"this {subject.kind} already has a baseline '{label}': promote the run there "
            "(`POST /api/baselines/{id}/promote`), or choose another label"
        )
        raise Problem(409, "Already exists", message, errors=[FieldError("label", "is taken")]) from None
    except RunGone:
        raise _no_such_run(run_id) from None


async def promote(at: GateParts, baseline: BaselineOut, wanted: WantedPromotion) -> None:
    """Make the run the baseline, the anchor, or both. If it becomes the baseline, also compute how likely each gate is
    to give an unchanged model the verdict *fine* when runs are compared with this one.

    Raises a `Problem` with one of three statuses. 404: the baseline was deleted meanwhile. 409: the run is not finished
    or scored nothing. 422: there is no such run, or a gate cannot be used on it.
    """
    run = await _usable_run(at, wanted.run_id)
    _require_own(run, baseline.subject.kind, baseline.subject.id)
    planned: dict[UUID, tuple[float, int]] = {}
    if wanted.role is not Role.ANCHOR:
        anchored = wanted.role is Role.BASELINE and baseline.anchor.id != run.id
        for gate in baseline.gates:
            try:
                weakest = (await plan(at, run, wanted_of(gate), anchored=anchored)).weakest
            except Problem as problem:
                message = (
                    f"the gate on {gate.title} of '{baseline.label}' cannot use this run: {problem.detail} "
                    "Promote another run, or delete the gate first."
                )
                raise Problem(
                    422, "The run cannot be the baseline", message, errors=[FieldError("run_id", message)]
                ) from None
            planned[gate.id] = (weakest.probability_fine, weakest.clusters)
    try:
        found = await at.store.promote(baseline.id, NewPromotion(run.id, run.name, wanted.role, wanted.note, planned))
    except RunGone:
        raise _no_such_run(wanted.run_id) from None
    if not found:
        raise no_baseline(baseline.id)


async def _usable_run(at: GateParts, run_id: UUID) -> RunSummary:
    run = await at.runs.run(run_id)
    if run is None:
        raise _no_such_run(run_id)
    if run.status is not RunStatus.FINISHED:
        raise Problem(
            409,
            "The run is not finished",
            f"'{run.name}' is {run.status}: only a finished run can be a baseline. Wait for it with `llmbench watch`.",
            extra={"run_status": run.status},
        )
    if run.outcome is RunOutcome.FAILED:
        raise Problem(
            409,
            "The run has no scores",
            f"No answer of '{run.name}' was scored, so nothing can be compared with it. Retry it, or promote another.",
        )
    return run


def _require_own(run: RunSummary, kind: SubjectKind, id_: UUID) -> None:
    """Raise a 422 `Problem` if the subject is a suite, but the run is not a run of this suite."""
    if kind is SubjectKind.SUITE and (run.subject is None or (run.subject.kind, run.subject.id) != (kind, id_)):
        raise invalid([FieldError("run_id", f"'{run.name}' is not a run of this suite")], "baseline")


def _no_such_run(run_id: UUID) -> Problem:
    return invalid([FieldError("run_id", f"there is no run {run_id}")], "baseline")
