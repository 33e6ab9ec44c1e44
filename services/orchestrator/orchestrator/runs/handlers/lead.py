"""Lead a run: change its state in one transaction, which has three steps.

1. Apply a user's command, or the reports of finished calls and scores.
2. Decide the run's next actions.
3. Put the resulting commands and events into the outbox.

After the creation of a run, its status and the statuses of its groups, items and scores change only here. The run's row
is locked meanwhile, so that only one orchestrator changes the run at a time.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from llmbench.contracts.answer_scored import AnswerScored
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunStatus
from llmbench.observability.telemetry import continue_trace
from orchestrator.kernel.domain.records import Group
from orchestrator.runs.domain.advance import PREFETCH, advance
from orchestrator.runs.domain.views import run_view
from orchestrator.runs.handlers.act import act
from orchestrator.runs.handlers.apply_calls import apply_calls
from orchestrator.runs.handlers.apply_verdicts import apply_verdicts
from orchestrator.runs.handlers.fail_group import close_failed_lanes, fail_leftovers
from orchestrator.runs.handlers.fail_turns import fail_later_turns
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.orders import cancel_if_closed, pause_over_budget
from orchestrator.runs.handlers.task_gates import follow_task_gates
from orchestrator.runs.ports.store import RunStore
from orchestrator.runs.ports.transaction import RunTransaction

Report = CallFinished | AnswerScored
Order = Callable[[Ledger[RunTransaction]], Awaitable[None]]
"""A requested change of a run, such as pause. It changes the ledger, or raises a `Problem` if the run's state does not
allow it."""

# The statuses in which answers still change a run. PAUSED is one of them: a late answer counts.
_LED = frozenset({RunStatus.PENDING, RunStatus.RUNNING, RunStatus.PAUSING, RunStatus.PAUSED})

_ACTIVE = frozenset({RunStatus.RUNNING, RunStatus.PAUSING})

_OVER = frozenset({RunStatus.FINISHED, RunStatus.CANCELLED})


@dataclass
class Led:
    """The result of `lead`: what has to be done on NATS after the commit, and when `lead` has to be called again.

    `found` is true if the run exists. `purged` is true if the run is over, so its commands in NATS have to be removed.
    `stopped` is true if the run is finished, cancelled or paused, so another run may begin. `in_flight` is the number
    of items and scores of an active run that were dispatched and have not reported. `wake_at` is the time at which
    `lead` has to be called again; null if the run waits for a report or an `Order`.

    For a run that is queued or over, `lead` without an `Order` changes nothing and returns the default values.
    """

    found: bool = True
    lanes_opened: list[Group] = field(default_factory=list)
    lanes_closed: list[Group] = field(default_factory=list)
    gate: RunGate | None = None
    purged: bool = False
    stopped: bool = False
    in_flight: int = 0
    wake_at: datetime | None = None


async def lead(
    store: RunStore,
    run_id: UUID,
    *,
    reports: Sequence[Report] = (),
    order: Order | None = None,
    prefetch: int = PREFETCH,
    now: datetime,
) -> Led:
    async with store.lead(run_id) as transaction:
        if transaction is None:
            return Led(found=False)
        continue_trace(transaction.run.traceparent)
        ledger = Ledger(transaction, now)
        if order is not None:
            await order(ledger)
        if order is None and ledger.run.status not in _LED:
            return Led()
        await apply_calls(ledger, [report for report in reports if isinstance(report, CallFinished)])
        await apply_verdicts(ledger, [report for report in reports if isinstance(report, AnswerScored)])
        await cancel_if_closed(ledger)
        await pause_over_budget(ledger)
        await ledger.flush()
        await fail_later_turns(ledger)
        await fail_leftovers(ledger)
        close_failed_lanes(ledger)
        await follow_task_gates(ledger)
        served: set[UUID] = set()
        while action := advance(run_view(ledger.run, list(ledger.groups.values()), prefetch), now, served):
            if (waiting := await act(ledger, action)) is not None:
                served.add(waiting)
        await ledger.close()
        active = ledger.run.status in _ACTIVE
        return Led(
            lanes_opened=ledger.lanes_opened,
            lanes_closed=ledger.lanes_closed,
            gate=ledger.gate,
            purged=ledger.run.status in _OVER,
            stopped=not active,
            in_flight=sum(group.in_flight_count for group in ledger.groups.values()) if active else 0,
            wake_at=ledger.wake_at,
        )
