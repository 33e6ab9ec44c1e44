"""Send lost commands again. PostgreSQL knows which commands are in flight, even if the broker lost them.

A duplicate command is harmless: it has the same call id, and the gateway has stored each answer that was paid for. If
in doubt, a command is therefore sent again.
"""

from datetime import datetime, timedelta
from uuid import UUID

from llmbench.contracts.run_words import GroupStatus, RunPhase, RunStatus
from orchestrator.kernel.domain.records import Group
from orchestrator.runs.handlers.act import send_items, send_release, send_scores, send_warm_up
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.lanes import Lanes
from orchestrator.runs.ports.store import RunStore
from orchestrator.runs.ports.transaction import WorkInFlight

_WORKING = frozenset({GroupStatus.WARMING_UP, GroupStatus.OPEN, GroupStatus.RELEASING, GroupStatus.FAILED})


async def resend_lost(store: RunStore, lanes: Lanes, run_id: UUID, *, now: datetime, patience: timedelta) -> int:
    """Queue the run's commands in flight again, if NATS has lost some of them. Return how many were queued.

    Commands are lost if NATS has fewer commands of the run than PostgreSQL says are in flight. Queue none if the run is
    not active, or while the outbox still holds messages. Items and scores that were dispatched less than `patience` ago
    are left out, because their reports may be on the way.
    """
    waiting = await lanes.commands_waiting(run_id)
    async with store.lead(run_id) as transaction:
        if transaction is None or transaction.run.status not in (RunStatus.RUNNING, RunStatus.PAUSING):
            return 0
        ledger = Ledger(transaction, now)
        groups = [group for group in ledger.groups.values() if group.status in _WORKING]
        in_flight = sum(group.in_flight_count + group.call_in_flight for group in groups)
        if waiting >= in_flight or await transaction.unpublished():
            return 0
        for group in groups:
            await _resend(ledger, group, dispatched_before=now - patience)
        await transaction.publish([], ledger.commands)
        return len(ledger.commands)


async def _resend(ledger: Ledger[WorkInFlight], group: Group, *, dispatched_before: datetime) -> None:
    transaction = ledger.transaction
    if group.call_in_flight:
        if group.status == GroupStatus.RELEASING:
            send_release(ledger, group)
        else:
            await send_warm_up(ledger, group, again=True)
    if not group.in_flight_count:
        return
    if group.phase == RunPhase.BENCHMARKING:
        await send_items(ledger, group, await transaction.items_in_flight(group.id, dispatched_before))
    else:
        await send_scores(ledger, group, await transaction.scores_in_flight(group.id, dispatched_before))
