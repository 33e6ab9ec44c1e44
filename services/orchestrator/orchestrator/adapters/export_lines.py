"""What the exports read: a run's items, each with its answer and its scores, streamed."""

from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, func, select, text
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db import tables as t
from orchestrator.adapters.item_queries import SCORES_OF_ITEMS, select_chosen
from orchestrator.adapters.rows import ANSWER, ITEMS, item_of
from orchestrator.ports.queries import ExportLine, ExportScore, ItemFilter

CHUNK_ITEMS = 500
_judging: Final = t.model_call.alias("judging")
# One call per key: a score has few, however many calls there are.
_TIME_MS: Final[ColumnElement[float | None]] = (
    select(func.sum(func.extract("epoch", _judging.c.finished_at - _judging.c.started_at) * 1000))
    .where(_judging.c.id == func.any(t.score.c.call_ids))
    .correlate(t.score)
    .scalar_subquery()
)
_OF_SCORE: Final = [
    "evaluator_revision_id",
    "status",
    "outcome",
    "raw",
    "normalised",
    "passed",
    "reason",
    "error",
    "details",
]
_SCORE: Final = func.jsonb_build_object(
    *("evaluator", t.run_evaluator.c.slot, "whole", t.run_evaluator.c.whole),
    *("kind", t.evaluator_revision.c.kind, "judge_model", t.evaluator_revision.c.judge_model, "time_ms", _TIME_MS),
    *(part for name in _OF_SCORE for part in (name, t.score.c[name])),
)
_OF_ITEM: Final = (
    select(func.jsonb_agg(aggregate_order_by(_SCORE, t.run_evaluator.c.position)))
    .select_from(SCORES_OF_ITEMS)
    .where(t.score.c.item_id == t.item.c.id)
    .correlate(t.item)
    .scalar_subquery()
)
_SCORES: Final = func.coalesce(_OF_ITEM, text("'[]'::jsonb")).label("scores")
"""Of an item all its scores, as `ExportScore` has them."""
# Where the answer came from; of an item without one, where the run would have asked.
_URL: Final = func.coalesce(
    t.model_call.c.request["url"].astext,
    t.run_group.c.provider["base_url"].astext + t.run_group.c.provider["inference_endpoint"].astext,
    "",
).label("url")


class ExportQueries:
    """See orchestrator.ports.queries.ExportReader."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def lines(self, run_id: UUID, chosen: ItemFilter) -> AsyncIterator[ExportLine]:
        call = t.model_call.c
        whole = (
            ITEMS.add_columns(ANSWER.label("answer"), call.started_at, call.finished_at, _URL, _SCORES)
            .outerjoin(t.model_call, call.id == t.item.c.call_id)
            .outerjoin(t.run_group, t.run_group.c.id == t.item.c.group_id)
        )
        query = (
            select_chosen(whole, run_id, chosen, answers_joined=True)
            .order_by(t.item.c.position)
            .execution_options(yield_per=CHUNK_ITEMS)
        )
        async with self._engine.connect() as connection:
            result = await connection.stream(query)
            async for row in result.mappings():
                yield ExportLine(
                    item=item_of(row),
                    answer=row["answer"],
                    scores=[ExportScore.model_validate(one) for one in row["scores"]],
                    url=row["url"],
                    started_at=row["started_at"],
                    finished_at=row["finished_at"],
                )
