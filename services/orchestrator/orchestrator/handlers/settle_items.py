"""Items follow their scores: JUDGING, back to waiting, COMPLETED or FAILED."""

from collections.abc import Sequence
from uuid import UUID

from orchestrator.domain.overall import Overall, failure_of, next_move, overall
from orchestrator.domain.records import Item
from orchestrator.domain.transitions import ItemMoves
from orchestrator.handlers.ledger import Ledger


async def settle_items(ledger: Ledger, item_ids: Sequence[UUID]) -> None:
    if not item_ids:
        return
    await ledger.flush()
    items = await ledger.transaction.items(item_ids)
    scores = await ledger.transaction.scores_by_item(item_ids)
    for item in items.values():
        of_item = scores.get(item.id, [])
        move = next_move(item.status, of_item)
        match move:
            case None:
                continue
            case ItemMoves.COMPLETE:
                _take_overall(item, overall(of_item))
                ledger.item_completed(item)
            case ItemMoves.GIVE_UP:
                _take_overall(item, overall(of_item))
                ledger.item_failed(item, failure_of(of_item))
            case _:
                item.move(move)
                ledger.item_changed(item)


def _take_overall(item: Item, total: Overall) -> None:
    """Null where a weighted evaluator gave no score: an earlier overall score is no longer one."""
    item.score, item.score_normalised = total.raw, total.normalised
    item.passed, item.reason = total.passed, total.reason
    item.score_revision_id = total.revision_id
