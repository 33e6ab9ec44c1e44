"""Read a run's items for the API: pages of rows, and single items in full."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Select, func, select, true
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.item_changed import ItemRow
from llmbench.contracts.outcome import Cost, Timings, Usage
from llmbench.contracts.run_words import ItemStatus, ScoreStatus
from llmbench.db import tables as t
from llmbench.ids import call_id
from llmbench.prompt_template import render
from orchestrator.kernel.adapters.rows import ITEMS, NOTES, REDACTIONS, among, item_of
from orchestrator.kernel.domain.prompts import with_choices
from orchestrator.kernel.domain.records import Item, reason_in_row
from orchestrator.results.adapters.item_conditions import SCORES_OF_ITEMS, select_chosen, select_verdicts
from orchestrator.results.adapters.item_excerpts import excerpts_of
from orchestrator.results.ports.item_schemas import (
    ItemDetail,
    ItemExcerpt,
    ItemOut,
    ItemScore,
    RenderedPrompt,
    ScoreOut,
    extraction_of,
)
from orchestrator.results.ports.queries import ItemCounts, ItemFilter, ItemOrder, ItemPlace, SortKey

_SORT_COLUMNS: Final[Mapping[SortKey, ColumnElement[Any]]] = {
    SortKey.POSITION: t.item.c.position,
    SortKey.TASK_ID: t.item.c.task_id,
    SortKey.CATEGORY: t.item.c.category,
    SortKey.TARGET: t.target.c.label,
    SortKey.STATUS: t.item.c.status,
    SortKey.SCORE: t.item.c.score,
    SortKey.EVALUATOR_SCORE: t.score.c.raw,
    SortKey.TIME_MS: t.item.c.time_ms,
    SortKey.FIRST_TOKEN_MS: t.item.c.first_token_ms,
    SortKey.TOKENS_PER_SECOND: t.item.c.tokens_per_second,
    SortKey.COMPLETION_TOKENS: t.item.c.completion_tokens,
    SortKey.COST_USD: t.item.c.cost_usd,
    SortKey.MODEL: t.target.c.model,
    SortKey.PROMPT_TOKENS: t.item.c.prompt_tokens,
    SortKey.ATTEMPTS: t.item.c.attempts,
    SortKey.FINISH_REASON: t.item.c.finish_reason,
}


# A page has up to 2,000 rows: read only the displayed columns, without the cases.
_SHOWN: Final = [name for name in ItemRow.model_fields if name in t.item.c]
_ROWS: Final = select(
    *(t.item.c[name] for name in _SHOWN), t.target.c.label.label("target_label"), t.target.c.model
).join(t.target, t.target.c.id == t.item.c.target_id)
_ROW_SCORES: Final = select(
    t.score.c.item_id,
    t.run_evaluator.c.slot.label("evaluator"),
    t.run_evaluator.c.primary,
    t.run_evaluator.c.whole,
    t.run_evaluator.c.corrects,
    t.evaluator_revision.c.judge_model,
    *(t.score.c[name] for name in ItemScore.model_fields if name in t.score.c),
).select_from(SCORES_OF_ITEMS)


_CALL: Final = select(*(t.model_call.c[name] for name in ("outcome", "content", "reasoning", "request", "response")))


class ItemQueries:
    """Implement the port `ItemReader` in SQL: read items for the API."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def page(
        self,
        run_id: UUID,
        chosen: ItemFilter,
        *,
        order: ItemOrder,
        after: ItemPlace | None,
        limit: int,
    ) -> list[ItemOut]:
        column = _SORT_COLUMNS[order.key]
        ordered = column.desc().nulls_last() if order.descending else column.asc().nulls_last()
        query = select_chosen(_rows_of(run_id, order), run_id, chosen).order_by(ordered, t.item.c.position).limit(limit)
        if after is not None:
            query = query.where(_beyond(column, after, descending=order.descending))
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
            scores = await _scores_of_rows(connection, [row["id"] for row in rows])
        return [
            ItemOut(**dict(row) | {"reason": reason_in_row(row["reason"]), "scores": scores.get(row["id"], [])})
            for row in rows
        ]

    async def count(self, run_id: UUID, chosen: ItemFilter) -> ItemCounts:
        query, passed, not_passed = select_verdicts(ITEMS, run_id, replace(chosen, statuses=()))
        matching = true() if chosen.passed is None else passed if chosen.passed else not_passed
        query = query.with_only_columns(t.item.c.status, func.count().filter(matching), func.count().filter(not_passed))
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query.group_by(t.item.c.status))).all()
        found = [row for row in rows if not chosen.statuses or row[0] in chosen.statuses]
        return ItemCounts(
            items=sum(row[1] for row in found),
            statuses={ItemStatus(status): count for status, count, _ in rows if count},
            not_passed=sum(row[2] for row in found),
        )

    async def excerpts(self, run_id: UUID, item_ids: Sequence[UUID]) -> list[ItemExcerpt]:
        async with self._engine.connect() as connection:
            return await excerpts_of(connection, run_id, item_ids)

    async def detail(self, run_id: UUID, item_id: UUID) -> ItemDetail | None:
        query = ITEMS.where(t.item.c.run_id == run_id, t.item.c.id == item_id)
        async with self._engine.connect() as connection:
            row = await _one(connection, query)
            if row is None:
                return None
            item = item_of(row)
            # For an unanswered item, read its last call, which contains the reason of the failure.
            last = item.call_id or call_id(item_id, dispatch=item.dispatch)
            call: Mapping[Any, Any] = await _one(connection, _CALL.where(t.model_call.c.id == last)) or {}
            scores = await scores_of(connection, item_id)
            rendered = await _rendered(connection, run_id, item)
        outcome = call.get("outcome") or {}
        content = call.get("content")
        # The detail shows the full reason; the list shortens it.
        summary = item.row().model_dump() | {"reason": item.reason}
        return ItemDetail(
            **summary,
            run_id=run_id,
            case=item.case,
            system_prompt=item.params.system_prompt,
            rendered=rendered,
            answer=item.given_answer if item.given_answer is not None else content if item.call_id else None,
            reasoning=call.get("reasoning"),
            refusal=content if outcome.get("kind") == "refused" else None,
            notes=outcome.get("notes", []),
            redactions=outcome.get("redactions", 0),
            citations=outcome.get("citations"),
            usage=Usage.model_validate(outcome["usage"]) if "usage" in outcome else None,
            timings=Timings.model_validate(outcome["timings"]) if "timings" in outcome else None,
            cost=Cost.model_validate(outcome["cost"]) if outcome.get("cost") else None,
            request=call.get("request"),
            response=call.get("response"),
            scores=scores,
        )


async def _rendered(connection: AsyncConnection, run_id: UUID, item: Item) -> RenderedPrompt | None:
    if item.prompt is None:
        return None
    shows_choices = (await connection.execute(select(t.run.c.show_choices).where(t.run.c.id == run_id))).scalar_one()
    messages = render(item.prompt, with_choices(item.case) if shows_choices else item.case)
    return RenderedPrompt(**item.prompt.model_dump(), system=messages.system, user=messages.user)


async def _scores_of_rows(connection: AsyncConnection, item_ids: Sequence[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """Return the scores of each item, in the order in which the evaluators joined the run."""
    query = _ROW_SCORES.where(among(t.score.c.item_id, item_ids)).order_by(t.run_evaluator.c.position)
    scores: dict[UUID, list[dict[str, Any]]] = {}
    for row in (await connection.execute(query)).mappings():
        scores.setdefault(row["item_id"], []).append(dict(row))
    return scores


async def scores_of(connection: AsyncConnection, item_id: UUID) -> list[ScoreOut]:
    query = (
        select(
            t.score,
            t.run_evaluator.c.slot,
            t.run_evaluator.c.corrects,
            t.evaluator_revision.c.kind,
            t.evaluator_revision.c.judge_model,
            t.evaluator_revision.c.scale_min,
            t.evaluator_revision.c.scale_max,
            t.model_call.c.request,
            t.model_call.c.content,
            NOTES.label("notes"),
            REDACTIONS.label("redactions"),
        )
        .select_from(SCORES_OF_ITEMS)
        # Join the last of the judge's calls, from which the verdict was read.
        .outerjoin(t.model_call, t.model_call.c.id == t.score.c.call_ids[func.cardinality(t.score.c.call_ids)])
        .where(t.score.c.item_id == item_id)
        .order_by(t.run_evaluator.c.position)
    )
    rows = (await connection.execute(query)).mappings().all()
    return [
        ScoreOut(
            id=row["id"],
            evaluator=row["slot"],
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
            extraction=extraction_of(row["details"]),
            details=row["details"],
            attempts=row["attempts"],
            cost_usd=row["cost_usd"],
            judge_model=row["judge_model"],
            judge_prompt=_prompt(row["request"]),
            # The reply of an embedding model consists of unreadable vectors, so it is not shown.
            judge_reply=None if _embedded(row["request"]) else row["content"],
            notes=row["notes"],
            redactions=row["redactions"],
            corrects=row["corrects"],
            by_person=row["by_person"],
        )
        for row in rows
    ]


def _prompt(request: dict[str, Any] | None) -> str | None:
    """Return the messages of a chat request, or the texts of an embedding request, joined into one text. Return `None`
    if the request has neither."""
    texts = _embedded(request)
    if texts is not None:
        return "\n\n".join(map(str, texts))
    messages = _sent(request).get("messages")
    if not isinstance(messages, list):
        return None
    return "\n\n".join(str(message.get("content", "")) for message in messages if isinstance(message, dict))


def _embedded(request: dict[str, Any] | None) -> list[Any] | None:
    texts = _sent(request).get("input")
    return texts if isinstance(texts, list) else None


def _sent(request: dict[str, Any] | None) -> dict[str, Any]:
    body = (request or {}).get("body")
    return body if isinstance(body, dict) else {}


async def _one(connection: AsyncConnection, query: Select[*tuple[Any, ...]]) -> RowMapping | None:
    return (await connection.execute(query)).mappings().one_or_none()


def _rows_of(run_id: UUID, order: ItemOrder) -> Select[*tuple[Any, ...]]:
    """Return the statement that reads rows of items, with the score by which `order` sorts them. The run's id lets
    the planner read all scores of the run by one index, instead of looking up one score per item."""
    if order.key != SortKey.EVALUATOR_SCORE:
        return _ROWS
    of_revision = (
        (t.score.c.item_id == t.item.c.id)
        & (t.score.c.run_id == run_id)
        & (t.score.c.evaluator_revision_id == order.revision_id)
    )
    return _ROWS.outerjoin(t.score, of_revision)


def _beyond(column: ColumnElement[Any], place: ItemPlace, *, descending: bool) -> ColumnElement[bool]:
    later = t.item.c.position > place.position
    if place.value is None:
        return column.is_(None) & later
    further = column < place.value if descending else column > place.value
    return further | column.is_(None) | ((column == place.value) & later)
