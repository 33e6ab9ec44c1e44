"""Read the beginnings of the texts of a run's items, for the rows of a list."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ANSWER, among
from orchestrator.results.ports.item_schemas import ExcerptScore, ItemExcerpt, extraction_of

EXCERPT_CHARACTERS: Final = 240

_SCORES_OF_ITEMS: Final = t.score.join(
    t.run_evaluator,
    (t.run_evaluator.c.run_id == t.score.c.run_id)
    & (t.run_evaluator.c.evaluator_revision_id == t.score.c.evaluator_revision_id),
)
_EXPECTED: Final = func.coalesce(
    t.item.c.case["expected_output"].astext,
    t.item.c.case["ground_truth"]["answer"].astext,
    t.item.c.case["excellent"].astext,
    t.item.c.case["good"].astext,
)


def _first_line(text: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.left(func.split_part(func.ltrim(text, " \t\r\n"), "\n", 1), EXCERPT_CHARACTERS)


_EXCERPTS: Final = select(
    t.item.c.id,
    func.left(t.item.c.case["question"].astext, EXCERPT_CHARACTERS).label("question"),
    _first_line(ANSWER).label("answer"),
    func.left(_EXPECTED, EXCERPT_CHARACTERS).label("expected"),
    t.item.c.case["metadata"]["tags"].label("tags"),
).select_from(t.item.outerjoin(t.model_call, t.model_call.c.id == t.item.c.call_id))
_SCORES: Final = (
    select(
        t.score.c.item_id,
        t.run_evaluator.c.slot.label("evaluator"),
        *(t.score.c[name] for name in ("evaluator_revision_id", "outcome", "raw", "normalised", "passed", "details")),
    )
    .select_from(_SCORES_OF_ITEMS)
    .order_by(t.run_evaluator.c.position)
)


async def excerpts_of(connection: AsyncConnection, run_id: UUID, item_ids: Sequence[UUID]) -> list[ItemExcerpt]:
    """Return excerpts (the beginnings of the texts) of the items, in no particular order. Items of other runs are left
    out."""
    query = _EXCERPTS.where(t.item.c.run_id == run_id, among(t.item.c.id, item_ids))
    rows = (await connection.execute(query)).mappings().all()
    of_items = _SCORES.where(t.score.c.run_id == run_id, among(t.score.c.item_id, [row["id"] for row in rows]))
    scores: dict[UUID, list[ExcerptScore]] = {}
    for score in (await connection.execute(of_items)).mappings():
        extraction = extraction_of(score["details"])
        extracted = extraction.answer[:EXCERPT_CHARACTERS] if extraction and extraction.answer is not None else None
        kept = {name: score[name] for name in ExcerptScore.model_fields if name in score}
        scores.setdefault(score["item_id"], []).append(ExcerptScore(**kept, extracted=extracted))
    return [
        ItemExcerpt(**dict(row) | {"tags": _texts(row["tags"]), "scores": scores.get(row["id"], [])}) for row in rows
    ]


def _texts(tags: Any) -> list[str]:
    """Return the texts in `tags`, a field of a case's metadata that may have any JSON type."""
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
