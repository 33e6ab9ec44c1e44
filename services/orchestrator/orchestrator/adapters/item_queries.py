"""What the API shows of a run's items: pages of rows, one item whole, and the export's lines."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.outcome import Timings, Usage
from llmbench.contracts.run_words import ItemStatus, ScoreStatus
from llmbench.db import tables as t
from orchestrator.adapters.rows import item_of
from orchestrator.ports.queries import ExportLine
from orchestrator.ports.schemas import ItemDetail, ScoreOut

_ITEMS = select(t.item, t.target.c.label, t.target.c.model, t.target.c.params).join(
    t.target, t.target.c.id == t.item.c.target_id
)
EXPORT_CHUNK = 500


class ItemQueries:
    """See orchestrator.ports.queries.ItemReader."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def page(
        self,
        run_id: UUID,
        *,
        statuses: Sequence[ItemStatus],
        target_id: UUID | None,
        after_position: int | None,
        limit: int,
    ) -> list[ItemRow]:
        """By position, from just after `after_position`."""
        query = _ITEMS.where(t.item.c.run_id == run_id).order_by(t.item.c.position).limit(limit)
        if statuses:
            query = query.where(t.item.c.status.in_(statuses))
        if target_id is not None:
            query = query.where(t.item.c.target_id == target_id)
        if after_position is not None:
            query = query.where(t.item.c.position > after_position)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [item_of(row).row() for row in rows]

    async def detail(self, run_id: UUID, item_id: UUID) -> ItemDetail | None:
        query = _ITEMS.add_columns(t.model_call.c.content, t.model_call.c.outcome.label("call_outcome")).outerjoin(
            t.model_call, t.model_call.c.id == t.item.c.call_id
        )
        async with self._engine.connect() as connection:
            row = await _one(connection, query.where(t.item.c.run_id == run_id, t.item.c.id == item_id))
            if row is None:
                return None
            scores = await _scores(connection, item_id)
        item = item_of(row)
        outcome = row["call_outcome"] or {}
        # The detail shows the reason whole, where the row cuts it.
        summary = item.row().model_dump() | {"reason": item.reason}
        return ItemDetail(
            **summary,
            run_id=run_id,
            case=item.case,
            system_prompt=item.params.system_prompt,
            answer=row["content"],
            usage=Usage.model_validate(outcome["usage"]) if "usage" in outcome else None,
            timings=Timings.model_validate(outcome["timings"]) if "timings" in outcome else None,
            scores=scores,
        )

    async def export(self, run_id: UUID) -> AsyncIterator[ExportLine]:
        """Every item by position, a chunk at a time: memory does not grow with the run."""
        query = (
            _ITEMS.add_columns(t.model_call.c.content)
            .outerjoin(t.model_call, t.model_call.c.id == t.item.c.call_id)
            .where(t.item.c.run_id == run_id)
            .order_by(t.item.c.position)
            .execution_options(yield_per=EXPORT_CHUNK)
        )
        async with self._engine.connect() as connection:
            result = await connection.stream(query)
            async for row in result.mappings():
                yield ExportLine(item=item_of(row), answer=row["content"])


async def _scores(connection: AsyncConnection, item_id: UUID) -> list[ScoreOut]:
    query = (
        select(
            t.score,
            t.evaluator_revision.c.kind,
            t.evaluator_revision.c.scale_min,
            t.evaluator_revision.c.scale_max,
            t.model_call.c.request,
            t.model_call.c.content,
        )
        .join(t.evaluator_revision, t.evaluator_revision.c.id == t.score.c.evaluator_revision_id)
        # The last of the judge's calls is the one the verdict was read from.
        .outerjoin(t.model_call, t.model_call.c.id == t.score.c.call_ids[func.cardinality(t.score.c.call_ids)])
        .where(t.score.c.item_id == item_id)
        .order_by(t.score.c.created_at, t.score.c.id)
    )
    rows = (await connection.execute(query)).mappings().all()
    return [
        ScoreOut(
            id=row["id"],
            evaluator_revision_id=row["evaluator_revision_id"],
            kind=row["kind"],
            status=ScoreStatus(row["status"]),
            outcome=row["outcome"],
            raw=row["raw"],
            scale_min=row["scale_min"],
            scale_max=row["scale_max"],
            normalised=row["normalised"],
            passed=row["passed"],
            reason=row["reason"],
            error=row["error"],
            attempts=row["attempts"],
            judge_prompt=_prompt(row["request"]),
            judge_reply=row["content"],
        )
        for row in rows
    ]


def _prompt(request: dict[str, Any] | None) -> str | None:
    """The messages of a call, as it was sent, as one text."""
    body = (request or {}).get("body")
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list):
        return None
    return "\n\n".join(str(message.get("content", "")) for message in messages if isinstance(message, dict))


async def _one(connection: AsyncConnection, query: Select[*tuple[Any, ...]]) -> RowMapping | None:
    return (await connection.execute(query)).mappings().one_or_none()
