"""What a run is ordered to do: begin, pause, resume, cancel."""

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import GroupStatus, RunStatus
from llmbench.errors import FieldError, Problem
from orchestrator.domain.records import Run
from orchestrator.domain.transitions import RUN, RunMoves, allows
from orchestrator.handlers.ledger import Ledger


async def admit(ledger: Ledger) -> None:
    """A queued run begins, with the providers as they are now. Raises what `require` raises when another
    orchestrator was quicker."""
    require(ledger, RunMoves.ADMIT)
    ledger.run.move(RunMoves.ADMIT)
    ledger.run.move(RunMoves.START)
    ledger.run.started_at = ledger.now
    ledger.gate = RunGate.OPEN
    await ledger.transaction.refresh_providers(list(ledger.groups.values()))
    ledger.status_changed()
    ledger.note("started")


async def pause(ledger: Ledger) -> None:
    """PAUSING at once; PAUSED when the calls in flight have reported. Their answers are kept."""
    require(ledger, RunMoves.PAUSE)
    _pause(ledger, "pausing: calls in flight are finished, no further one starts")


def pause_over_budget(ledger: Ledger) -> None:
    """A run that spent what it may is paused, unless nothing is left to do."""
    run = ledger.run
    if run.status == RunStatus.RUNNING and run.over_budget() and run.judged_count + run.failed_count < run.item_count:
        run.status_reason = _spent(run)
        _pause(ledger, f"pausing: {run.status_reason}")


def _pause(ledger: Ledger, note: str) -> None:
    ledger.run.move(RunMoves.PAUSE)
    ledger.gate = RunGate.CLOSED
    ledger.status_changed()
    ledger.note(note)


def _spent(run: Run) -> str:
    return f"the cost limit of ${run.max_cost_usd:.2f} is reached: ${run.cost_usd:.4f} spent"


async def resume(ledger: Ledger, *, max_cost_usd: float | None = None) -> None:
    """Goes on with the next item; the open group is warmed up again. `max_cost_usd` is a new limit."""
    require(ledger, RunMoves.RESUME)
    if max_cost_usd is not None:
        ledger.run.max_cost_usd = max_cost_usd
    if ledger.run.over_budget():
        message = f"{_spent(ledger.run)}. Send a higher max_cost_usd with the resume."
        raise Problem(409, "The cost limit is reached", message, errors=[FieldError("max_cost_usd", message)])
    ledger.run.move(RunMoves.RESUME)
    ledger.run.beside = False
    ledger.run.status_reason = None
    ledger.gate = RunGate.OPEN
    for group in ledger.groups.values():
        group.recover()
    ledger.status_changed()
    ledger.note("resumed")


async def cancel(ledger: Ledger) -> None:
    """Ends the run now: calls in flight are aborted, what was answered stays."""
    require(ledger, RunMoves.CANCEL)
    ledger.run.move(RunMoves.CANCEL)
    ledger.run.finished_at = ledger.now
    ledger.gate = RunGate.ABORTED
    ledger.lanes_closed.extend(
        group for group in ledger.groups.values() if group.status not in (GroupStatus.WAITING, GroupStatus.CLOSED)
    )
    ledger.status_changed()
    ledger.note("cancelled")


def require(ledger: Ledger, move: RunMoves) -> None:
    if not allows(RUN, ledger.run.status, move):
        allowed = [state for state in RUN if allows(RUN, state, move)]
        raise Problem(
            409,
            f"Cannot {move} this run",
            f"The run is {ledger.run.status}; {move} works on a run that is {' or '.join(allowed)}.",
            extra={"run_status": ledger.run.status},
        )
