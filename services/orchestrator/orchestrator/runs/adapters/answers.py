"""Read full answers: from the item if the client supplied the answer, else from the stored model call."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.outcome import Citation
from llmbench.db import tables as t
from orchestrator.kernel.domain.records import Item
from orchestrator.runs.ports.transaction import Answer

_CITATIONS: Final = TypeAdapter(tuple[Citation, ...])


async def read_answers(connection: AsyncConnection, items: Sequence[Item]) -> dict[UUID, Answer]:
    """Return the full answer of each item, by item id. Items without an answer are left out."""
    answers = {item.id: Answer(item.given_answer, None) for item in items if item.given_answer is not None}
    item_of_call = {item.call_id: item.id for item in items if item.call_id is not None}
    call = t.model_call.c
    query = select(call.id, call.content, call.outcome["citations"].label("citations"))
    for row in await connection.execute(query.where(call.id.in_(list(item_of_call)))):
        citations = None if row.citations is None else _CITATIONS.validate_python(row.citations)
        answers[item_of_call[row.id]] = Answer(row.content or "", citations)
    return answers
