"""Start, pause, resume and cancel a run."""

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import GroupStatus, RunPhase, RunStatus
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.domain.records import Run
from orchestrator.kernel.domain.transitions import RUN, RunMoves, allows
from orchestrator.runs.handlers.fail_group import fail_group
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.org_budget import reason_of_org_budget, require_org_budget
from orchestrator.runs.ports.transaction import RunRecords

PROVIDER_GONE = "its provider was deleted while the run waited in the queue"


async def admit(ledger: Ledger[RunRecords]) -> None:
    """Start a queued run with the current provider settings.

    Targets whose provider was deleted fail at once. If that leaves no target, the run ends, and the next queued run is
    tried. Raises a `Problem`: 409 if the run is no longer queued, 402 if the organisation's budget is spent, 403 if the
    organisation is closed.
    """
    require(ledger, RunMoves.ADMIT)
    await require_org_budget(ledger)
    ledger.run.move(RunMoves.ADMIT)
    ledger.run.move(RunMoves.START)
    ledger.run.started_at = ledger.now
    ledger.gate = RunGate.OPEN
    ledger.status_changed()
    ledger.note("started")
    gone = await ledger.transaction.refresh_providers(list(ledger.groups.values()))
    for group in gone:
        if group.phase == RunPhase.BENCHMARKING and group.new_count:
            group.open(ledger.now)
            fail_group(ledger, group, PROVIDER_GONE, cause="provider_gone")


async def pause(ledger: Ledger[RunRecords]) -> None:
    """Set the run PAUSING, so that no further call starts. It becomes PAUSED when the calls in flight have reported,
    and their answers count. Raises a 409 `Problem` unless the run is running."""
    require(ledger, RunMoves.PAUSE)
    _pause(ledger, "pausing: calls in flight finish, and no further call starts")


async def pause_over_budget(ledger: Ledger[RunRecords]) -> None:
    """Pause a running run that has work left, if the run has reached its cost limit, or its organisation has spent its
    budget."""
    run = ledger.run
    if run.status != RunStatus.RUNNING:
        return
    reason = _spent(run) if run.over_budget() else await reason_of_org_budget(ledger)
    if reason is not None and run.judged_count + run.failed_count + run.skipped_count < run.item_count:
        run.status_reason = reason
        _pause(ledger, f"pausing: {run.status_reason}")


async def cancel_if_closed(ledger: Ledger[RunRecords]) -> None:
    """End the run if its organisation was closed. This is checked at each report and timer of the run."""
    if ledger.run.org_closed and allows(RUN, ledger.run.status, RunMoves.CANCEL):
        ledger.run.status_reason = "the organisation was closed"
        await cancel(ledger)


def pause_for_credit(ledger: Ledger[RunRecords]) -> None:
    """Pause the run, and say in its status reason that the user has to add credit to the providers' accounts."""
    lacking = [group for group in ledger.groups.values() if group.out_of_credit_reason]
    reasons = "; ".join(f"{group.name()} is out of credit: {group.out_of_credit_reason}" for group in lacking)
    ledger.run.status_reason = f"{reasons} Fill the account up, then resume the run."
    _pause(ledger, f"pausing: {ledger.run.status_reason}")


def _pause(ledger: Ledger[RunRecords], note: str) -> None:
    ledger.run.move(RunMoves.PAUSE)
    ledger.gate = RunGate.CLOSED
    ledger.status_changed()
    ledger.note(note)


def _spent(run: Run) -> str:
    return f"the cost limit of ${run.max_cost_usd:.2f} is reached: ${run.cost_usd:.4f} spent"


async def resume(ledger: Ledger[RunRecords], *, max_cost_usd: float | None = None) -> None:
    """Resume the paused run: its groups warm up again and continue with their remaining work. `max_cost_usd` replaces
    the cost limit; null keeps it.

    Raises a `Problem`: 409 if the run is not paused, or if its costs have reached the limit; 402 if the organisation's
    budget is spent; 403 if the organisation is closed.
    """
    require(ledger, RunMoves.RESUME)
    if max_cost_usd is not None:
        ledger.run.max_cost_usd = max_cost_usd
    if ledger.run.over_budget():
        message = f"{_spent(ledger.run)}. Send a higher max_cost_usd with the resume."
        raise Problem(409, "The cost limit is reached", message, errors=[FieldError("max_cost_usd", message)])
    await require_org_budget(ledger)
    ledger.run.move(RunMoves.RESUME)
    ledger.run.concurrent = False
    ledger.run.status_reason = None
    ledger.gate = RunGate.OPEN
    for group in ledger.groups.values():
        group.forget_trouble()
    ledger.status_changed()
    ledger.note("resumed")


async def cancel(ledger: Ledger[RunRecords]) -> None:
    """End the run now: calls in flight are aborted, existing answers are kept. Raises a 409 `Problem` if the run is
    over."""
    require(ledger, RunMoves.CANCEL)
    ledger.run.move(RunMoves.CANCEL)
    ledger.run.end(ledger.now)
    ledger.gate = RunGate.ABORTED
    ledger.lanes_closed.extend(
        group for group in ledger.groups.values() if group.status not in (GroupStatus.WAITING, GroupStatus.CLOSED)
    )
    ledger.status_changed()
    ledger.note("cancelled")


def require(ledger: Ledger[RunRecords], move: RunMoves) -> None:
    if not allows(RUN, ledger.run.status, move):
        allowed = [state for state in RUN if allows(RUN, state, move)]
        raise Problem(
            409,
            f"Cannot {move} this run",
            f"The run is {ledger.run.status}; {move} works on a run that is {' or '.join(allowed)}."
            + _instead(ledger.run, move),
            extra={"run_status": ledger.run.status},
        )


def _instead(run: Run, move: RunMoves) -> str:
    """Return advice for a user who wants to continue a cancelled run; an empty text in any other case."""
    if run.status is not RunStatus.CANCELLED or move is RunMoves.CANCEL:
        return ""
    return " A cancelled run cannot continue: create it again, with use_cache to reuse its answers."
