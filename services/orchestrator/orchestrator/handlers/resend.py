"""Sends again what was lost: Postgres knows what is in flight, whatever became of the broker.

A command sent twice is harmless: it carries the same call id, and the gateway remembers what it
paid for. So this errs on the side of sending.
"""

from datetime import datetime, timedelta
from uuid import UUID

from llmbench.contracts.run_words import GroupStatus, RunPhase, RunStatus
from orchestrator.domain.records import Group
from orchestrator.handlers.act import send_items, send_release, send_scores, send_warm_up
from orchestrator.handlers.ledger import Ledger
from orchestrator.ports.lanes import Lanes
from orchestrator.ports.store import RunStore

_WORKING = frozenset({GroupStatus.WARMING_UP, GroupStatus.OPEN, GroupStatus.RELEASING, GroupStatus.FAILED})


async def resend_lost(store: RunStore, lanes: Lanes, run_id: UUID, *, now: datetime, patience: timedelta) -> int:
    """Send again the commands of everything in flight when fewer commands lie in the stream than
    are in flight; returns how many. `patience` leaves room for reports just being taken."""
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
        await transaction.tell([], ledger.commands)
        return len(ledger.commands)


async def _resend(ledger: Ledger, group: Group, *, dispatched_before: datetime) -> None:
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
