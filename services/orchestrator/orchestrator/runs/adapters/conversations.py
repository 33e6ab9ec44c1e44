"""The SQL for conversations. For each target and epoch, a conversation's turns are sent one after another."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Uuid, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.case import Case
from llmbench.contracts.run_words import ItemStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ITEMS
from orchestrator.kernel.domain.prompts import HadTurn

_TURNS_BEFORE: Final = text(
    """
    SELECT later.id, earlier."case", coalesce(earlier.given_answer, model_call.content) AS answer
    FROM item AS later
    JOIN item AS earlier ON earlier.target_id = later.target_id AND earlier.epoch = later.epoch
        AND earlier.conversation_id = later.conversation_id
        AND earlier.turn BETWEEN later.turn - :most AND later.turn - 1
    LEFT JOIN model_call ON model_call.id = earlier.call_id
    WHERE later.id = ANY (:ids) AND num_nonnulls(earlier.given_answer, earlier.call_id) > 0
    ORDER BY later.id, earlier.turn
    """
).bindparams(bindparam("ids", type_=ARRAY(Uuid)))


def is_next() -> ColumnElement[bool]:
    """Return the SQL condition under which a row of `item` can be sent. It is true for single cases, for the first turn
    of a conversation, and for a turn whose previous turn is answered."""
    before = t.item.alias("before")
    answered = select(before.c.id).where(before.c.id == t.item.c.previous_id, before.c.call_id.is_not(None))
    return t.item.c.previous_id.is_(None) | answered.correlate(t.item).exists()


async def turns_before(
    connection: AsyncConnection, item_ids: Sequence[UUID], *, most: int
) -> dict[UUID, list[HadTurn]]:
    turns: dict[UUID, list[HadTurn]] = {}
    if not item_ids:
        return turns
    for row in await connection.execute(_TURNS_BEFORE, {"ids": list(item_ids), "most": most}):
        turns.setdefault(row.id, []).append(HadTurn(Case.model_validate(row.case), row.answer or ""))
    return turns


def turns_after(item_id: UUID) -> Select[Any]:
    turn = t.item.alias("at")
    return ITEMS.join(
        turn,
        (turn.c.target_id == t.item.c.target_id)
        & (turn.c.epoch == t.item.c.epoch)
        & (turn.c.conversation_id == t.item.c.conversation_id)
        & (turn.c.turn < t.item.c.turn),
    ).where(turn.c.id == item_id, t.item.c.status == ItemStatus.NEW)
