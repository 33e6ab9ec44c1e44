"""Derive the items' states from their scores: WAITING_FOR_JUDGE, JUDGING, COMPLETED or FAILED."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from llmbench.contracts.run_logged import LogKind
from orchestrator.kernel.domain.overall import Overall, WeightedScore, failure_of, next_move, overall
from orchestrator.kernel.domain.records import Item
from orchestrator.kernel.domain.transitions import ItemMoves
from orchestrator.runs.domain.panel import PanelVerdict, decided, with_verdicts
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import RunRecords


async def settle_items(ledger: Ledger[RunRecords], item_ids: Sequence[UUID]) -> None:
    if not item_ids:
        return
    await ledger.flush()
    items = await ledger.transaction.items(item_ids)
    scores = await _with_panels(ledger, items, await ledger.transaction.scores_by_item(item_ids))
    for item in items.values():
        of_item = scores.get(item.id, [])
        move = next_move(item.status, of_item)
        match move:
            case None:
                continue
            case ItemMoves.COMPLETE:
                take_overall(item, overall(of_item))
                ledger.item_completed(item)
            case ItemMoves.GIVE_UP:
                take_overall(item, overall(of_item))
                ledger.item_failed(item, failure_of(of_item))
            case _:
                item.move(move)
                ledger.item_changed(item)


async def _with_panels(
    ledger: Ledger[RunRecords], items: Mapping[UUID, Item], scores: Mapping[UUID, list[WeightedScore]]
) -> Mapping[UUID, list[WeightedScore]]:
    """Compute and save the score of each panel whose members have all ended. Return the scores by item, with these
    results."""
    verdicts_by_item = {item_id: decided(of_item) for item_id, of_item in scores.items()}
    verdicts = [verdict for of_item in verdicts_by_item.values() for verdict in of_item]
    if not verdicts:
        return scores
    await ledger.transaction.save_panels(verdicts, ledger.now)
    for item_id, of_item in verdicts_by_item.items():
        slots = {score.id: score.slot for score in scores[item_id] if score.corrects is None}
        for verdict in (verdict for verdict in of_item if verdict.score_id in slots):
            ledger.log(LogKind.VERDICT, items[item_id], _line(verdict), model=slots[verdict.score_id])
    return {item_id: with_verdicts(of_item, verdicts_by_item[item_id]) for item_id, of_item in scores.items()}


def _line(verdict: PanelVerdict) -> str:
    """Return the log line about a panel's result: its score, or the reason why it has no score."""
    if verdict.raw is None:
        return verdict.error or ""
    return f"the panel: {verdict.raw:g} (by {verdict.details['judges_scored']} of {verdict.details['judges']} judges)"


def take_overall(item: Item, total: Overall) -> None:
    """Copy the overall score to the item, replacing an earlier one. The score is null if an evaluator with a weight
    gave none."""
    item.score, item.score_normalised = total.raw, total.normalised
    item.passed, item.reason = total.passed, total.reason
    item.score_revision_id = total.revision_id
