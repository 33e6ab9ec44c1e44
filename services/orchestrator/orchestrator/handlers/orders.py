"""What a user may order a running run to do: pause, resume, cancel."""

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import GroupStatus
from llmbench.errors import Problem
from orchestrator.domain.transitions import RUN, RunMoves, allows
from orchestrator.handlers.ledger import Ledger


def pause(ledger: Ledger) -> None:
    """PAUSING at once; PAUSED when the calls in flight have reported. Their answers are kept."""
    _require(ledger, RunMoves.PAUSE)
    ledger.run.move(RunMoves.PAUSE)
    ledger.gate = RunGate.CLOSED
    ledger.status_changed()
    ledger.note("pausing: calls in flight are finished, no further one starts")


def resume(ledger: Ledger) -> None:
    """Goes on with the next item; the open group is warmed up again."""
    _require(ledger, RunMoves.RESUME)
    ledger.run.move(RunMoves.RESUME)
    ledger.run.status_reason = None
    ledger.gate = RunGate.OPEN
    for group in ledger.groups.values():
        group.recover()
    ledger.status_changed()
    ledger.note("resumed")


def cancel(ledger: Ledger) -> None:
    """Ends the run now: calls in flight are aborted, what was answered stays."""
    _require(ledger, RunMoves.CANCEL)
    ledger.run.move(RunMoves.CANCEL)
    ledger.run.finished_at = ledger.now
    ledger.gate = RunGate.ABORTED
    ledger.lanes_closed.extend(
        group for group in ledger.groups.values() if group.status not in (GroupStatus.WAITING, GroupStatus.CLOSED)
    )
    ledger.status_changed()
    ledger.note("cancelled")


def _require(ledger: Ledger, move: RunMoves) -> None:
    if not allows(RUN, ledger.run.status, move):
        allowed = [state for state in RUN if allows(RUN, state, move)]
        raise Problem(
            409,
            f"Cannot {move} this run",
            f"The run is {ledger.run.status}; {move} works on a run that is {' or '.join(allowed)}.",
            extra={"run_status": ledger.run.status},
        )
