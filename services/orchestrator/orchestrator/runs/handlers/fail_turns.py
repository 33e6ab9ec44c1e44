"""Fail the later turns of a conversation after a turn without an answer, because they cannot be sent."""

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import RunPhase
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import RunWork


async def fail_later_turns(ledger: Ledger[RunWork]) -> None:
    """Fail the NEW turns that follow each of the ledger's `unanswered_turns`, and clear that list. Does nothing if the
    list is empty.

    The caller has to flush the ledger first; this function flushes it again.
    """
    if not ledger.unanswered_turns:
        return
    for item in tuple(ledger.unanswered_turns):
        assert item.failure is not None
        later = await ledger.transaction.turns_after(item.id)
        message = f"Turn {item.case.turn} of the conversation was not answered: {item.failure.message}"
        failure = ItemFailure(
            phase=RunPhase.BENCHMARKING,
            kind="turn_failed",
            message=message,
            retryable=item.failure.retryable,
            cause=item.failure.cause,
        )
        for turn in later:
            ledger.item_failed(turn, failure)
        if later:
            ledger.note(f"{item.case.conversation_id}: {len(later)} turns after {item.case.turn} fail with it", "error")
    ledger.unanswered_turns.clear()
    await ledger.flush()
