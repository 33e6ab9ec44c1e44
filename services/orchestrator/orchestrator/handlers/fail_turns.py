"""A conversation breaks off: the turns after one that was not answered cannot be asked."""

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import RunPhase
from orchestrator.handlers.ledger import Ledger


async def fail_later_turns(ledger: Ledger) -> None:
    """End what waits for a turn that failed just now. Expects the ledger flushed, and leaves it so."""
    if not ledger.unanswered_turns:
        return
    for item in tuple(ledger.unanswered_turns):
        assert item.failure is not None
        later = await ledger.transaction.turns_after(item.id)
        message = f"Turn {item.case.turn} of the conversation was not answered: {item.failure.message}"
        failure = ItemFailure(
            phase=RunPhase.BENCHMARKING, kind="turn_failed", message=message, retryable=item.failure.retryable
        )
        for turn in later:
            ledger.item_failed(turn, failure)
        if later:
            ledger.note(f"{item.case.conversation_id}: {len(later)} turns after {item.case.turn} fail with it", "error")
    ledger.unanswered_turns.clear()
    await ledger.flush()
