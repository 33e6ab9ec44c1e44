"""A group gives up: what is left of it fails for the same reason, and the run goes on."""

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import GroupStatus, RunPhase
from orchestrator.domain.records import Group
from orchestrator.domain.transitions import GroupMoves
from orchestrator.handlers.ledger import Ledger
from orchestrator.handlers.settle_items import settle_items


def fail_group(ledger: Ledger, group: Group, message: str) -> None:
    """Work in flight is left to report; `fail_leftovers` ends what is not dispatched."""
    if group.status == GroupStatus.FAILED:
        return
    group.move(GroupMoves.GIVE_UP)
    group.failure_reason = message
    ledger.note(f"{group.name()} failed: {message}", "error", group)


async def fail_leftovers(ledger: Ledger) -> None:
    """End the NEW work of failed groups. Expects the ledger flushed."""
    for group in ledger.groups.values():
        if group.status != GroupStatus.FAILED or not group.new_count:
            continue
        message = group.failure_reason or "the model group failed"
        if group.phase == RunPhase.BENCHMARKING:
            failure = ItemFailure(phase=group.phase, kind="group_failed", message=message, retryable=True)
            for item in await ledger.transaction.new_items(group.id):
                ledger.item_failed(item, failure)
        else:
            scores = await ledger.transaction.new_scores(group.id)
            for score in scores:
                ledger.score_failed(score, outcome="errored", error=message)
            await settle_items(ledger, [score.item_id for score in scores])


def close_failed_lanes(ledger: Ledger) -> None:
    """A failed group's lane goes when its last command has reported, so that none is stranded."""
    for group in ledger.groups.values():
        over = group.status == GroupStatus.FAILED and not group.in_flight_count and not group.call_in_flight
        if over and group.closed_at is None:
            group.closed_at = ledger.now
            ledger.lanes_closed.append(group)
