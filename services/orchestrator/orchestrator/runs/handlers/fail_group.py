"""Fail a model group: its remaining work fails for the same reason, and the run continues with the next group."""

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import GroupStatus, RunPhase
from orchestrator.kernel.domain.records import Group
from orchestrator.kernel.domain.transitions import GroupMoves
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.settle_items import settle_items
from orchestrator.runs.ports.transaction import RunRecords, RunWork


def fail_group(ledger: Ledger[RunRecords], group: Group, message: str, *, cause: str) -> None:
    """Mark the group as failed, unless it already is. Calls in flight still report; `fail_leftovers` fails the items or
    scores that are not dispatched."""
    if group.status == GroupStatus.FAILED:
        return
    group.move(GroupMoves.GIVE_UP)
    group.failure_reason, group.failure_cause = message, cause
    ledger.note(f"{group.name()} failed: {message}", "error", group)


async def fail_leftovers(ledger: Ledger[RunWork]) -> None:
    """Fail the NEW items or scores of each failed group, for the reason for which the group failed. The caller has to
    flush the ledger first."""
    for group in ledger.groups.values():
        if group.status != GroupStatus.FAILED or not group.new_count:
            continue
        message = group.failure_reason or "the model group failed"
        if group.phase == RunPhase.BENCHMARKING:
            failure = ItemFailure(
                phase=group.phase, kind="group_failed", message=message, retryable=True, cause=group.failure_cause
            )
            for item in await ledger.transaction.new_items(group.id):
                ledger.item_failed(item, failure)
        else:
            scores = await ledger.transaction.new_scores(group.id)
            for score in scores:
                ledger.score_failed(score, outcome="errored", error=message, cause=group.failure_cause)
            await settle_items(ledger, [score.item_id for score in scores])


def close_failed_lanes(ledger: Ledger[RunRecords]) -> None:
    """Have the lane (the queue of calls) of each failed group closed after the commit, unless the group has calls in
    flight. Their commands may still be in the lane, and a closed lane delivers none: such a call would never report."""
    for group in ledger.groups.values():
        over = group.status == GroupStatus.FAILED and not group.in_flight_count and not group.call_in_flight
        if over and group.closed_at is None:
            group.closed_at = ledger.now
            ledger.lanes_closed.append(group)
