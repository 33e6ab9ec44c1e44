"""Stream the rows that exports read: a run's items, each with its answer and scores."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Select, Text, cast, func, select, text
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.ahead import ahead
from llmbench.contracts.case import Case
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ANSWER, ITEMS, NOTES, REDACTIONS, among, item_of, with_target
from orchestrator.kernel.domain.prompts import HadTurn
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.results.adapters.item_conditions import SCORES_OF_ITEMS, select_chosen
from orchestrator.results.adapters.judge_agreements import agreements_of
from orchestrator.results.adapters.ranking import ranking_of
from orchestrator.results.adapters.run_queries import RunQueries
from orchestrator.results.ports.queries import (
    ExportLine,
    ExportResults,
    ExportRow,
    ExportScore,
    ExportSource,
    ItemFilter,
    PlainScore,
    TargetRanking,
)

CHUNK_ITEMS: Final = 250
"""The number of items per chunk. Two chunks are in memory at once: the one being written and the next."""
_CHUNK_OF_TURNS: Final = 25
"""The number of items per chunk if each is read with its earlier turns, whose texts may be long."""
_judging: Final = t.model_call.alias("judging")
# A score has few calls, and they are looked up by id, so this is fast however many calls the table holds.
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
    "by_person",
]
_SCORE: Final = func.jsonb_build_object(
    *("evaluator", t.run_evaluator.c.slot, "whole", t.run_evaluator.c.whole),
    *("primary", t.run_evaluator.c.primary, "corrects", t.run_evaluator.c.corrects),
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
_PLAIN_SCORES: Final = select(
    t.score.c.item_id,
    t.run_evaluator.c.slot,
    t.score.c.evaluator_revision_id,
    t.evaluator_revision.c.judge_model,
    t.run_evaluator.c.primary,
    t.run_evaluator.c.whole,
    t.run_evaluator.c.corrects,
    *(t.score.c.details[name] if name == "extraction" else t.score.c[name] for name in PlainScore._fields[7:]),
).select_from(SCORES_OF_ITEMS)
"""Selects scores with the columns of `PlainScore`."""
_SCORES: Final = func.coalesce(_OF_ITEM, text("'[]'::jsonb")).label("scores")
"""All scores of an item, in the form of `ExportScore`."""
# The URL that was called, or for an unanswered item the URL that would have been called.
_URL: Final = func.coalesce(
    t.model_call.c.request["url"].astext,
    t.run_group.c.provider["base_url"].astext + t.run_group.c.provider["inference_endpoint"].astext,
    "",
).label("url")

# The answered earlier turns of an item's conversation, as many as its run sends with a turn.
_earlier: Final = t.item.alias("earlier")
_earlier_call: Final = t.model_call.alias("earlier_call")
_MOST_TURNS: Final = (
    select(t.run.c.max_conversation_history).where(t.run.c.id == t.item.c.run_id).correlate(t.item).scalar_subquery()
)
_EARLIER_ANSWER: Final = func.coalesce(_earlier.c.given_answer, _earlier_call.c.content)
_TURN_BEFORE: Final = func.jsonb_build_object("case", _earlier.c.case, "answer", _EARLIER_ANSWER)
_TURNS_BEFORE: Final = (
    select(func.jsonb_agg(aggregate_order_by(_TURN_BEFORE, _earlier.c.turn)))
    .select_from(_earlier.outerjoin(_earlier_call, _earlier_call.c.id == _earlier.c.call_id))
    .where(
        _earlier.c.target_id == t.item.c.target_id,
        _earlier.c.epoch == t.item.c.epoch,
        _earlier.c.conversation_id == t.item.c.conversation_id,
        _earlier.c.turn.between(t.item.c.turn - _MOST_TURNS, t.item.c.turn - 1),
        func.num_nonnulls(_earlier.c.given_answer, _earlier.c.call_id) > 0,
    )
    .correlate(t.item)
    .scalar_subquery()
    .label("turns_before")
)


# The turns of a conversation stay together, where its worst turn belongs. Items without a score come before all others.
_TOGETHER: Final = (
    t.item.c.target_id,
    t.item.c.epoch,
    func.coalesce(t.item.c.conversation_id, cast(t.item.c.id, Text)),
)
_WORST_FIRST: Final = (
    func.min(func.coalesce(t.item.c.score_normalised, -1)).over(partition_by=_TOGETHER),
    func.min(t.item.c.position).over(partition_by=_TOGETHER),
    t.item.c.position,
)


COLUMNS: Final[Mapping[str, ColumnElement[Any]]] = {
    "target_label": t.target.c.label,
    "model": t.target.c.model,
    "system_prompt": func.coalesce(
        t.target.c.params["system_prompt"].astext, t.run_suite_task.c.params["system_prompt"].astext
    ),
    "question": t.item.c.case["question"].astext,
    "answer": ANSWER,
    "reasoning": t.model_call.c.reasoning,
    "notes": NOTES,
    "redactions": REDACTIONS,
    **{f"failure_{name}": t.item.c.failure[name].astext for name in ("phase", "kind", "message", "cause")},
}
"""The columns of an `ExportRow` that the table `item` does not have."""


@dataclass(frozen=True)
class ExportQueries:
    """Implement the port `ExportReader` in SQL: read a run's items for exports."""

    engine: AsyncEngine
    target_ranking: TargetRanking

    def chosen(self, run_id: UUID, chosen: ItemFilter) -> ExportSource:
        return _Chosen(self.engine, self.target_ranking, run_id, chosen)


@dataclass(frozen=True)
class _Chosen:
    engine: AsyncEngine
    target_ranking: TargetRanking
    run_id: UUID
    items: ItemFilter

    async def lines(self, *, with_turns_before: bool = False, worst_first: bool = False) -> AsyncIterator[ExportLine]:
        call = t.model_call.c
        is_entire = (
            ITEMS.add_columns(ANSWER.label("answer"), call.reasoning, call.started_at, call.finished_at, _URL, _SCORES)
            .outerjoin(t.model_call, call.id == t.item.c.call_id)
            .outerjoin(t.run_group, t.run_group.c.id == t.item.c.group_id)
        )
        if with_turns_before:
            is_entire = is_entire.add_columns(_TURNS_BEFORE)
        chunk = _CHUNK_OF_TURNS if with_turns_before else CHUNK_ITEMS
        read = self._worst_first(is_entire, chunk) if worst_first else self._by_position(is_entire, chunk)
        async for row in read:
            yield ExportLine(
                item=item_of(row),
                answer=row["answer"],
                reasoning=row["reasoning"],
                scores=[ExportScore.model_validate(score) for score in row["scores"]],
                url=row["url"],
                started_at=row["started_at"],
                finished_at=row["finished_at"],
                turns_before=[
                    HadTurn(Case.model_validate(turn["case"]), turn["answer"] or "")
                    for turn in (row["turns_before"] if with_turns_before else None) or ()
                ],
            )

    async def _by_position(self, query: Select[*tuple[Any, ...]], chunk: int) -> AsyncIterator[RowMapping]:
        async with self.engine.connect() as connection:
            result = await connection.stream(self._ordered(query).execution_options(yield_per=chunk))
            async for row in result.mappings():
                yield row

    async def _worst_first(self, query: Select[*tuple[Any, ...]], chunk: int) -> AsyncIterator[RowMapping]:
        """Yield the rows of the worst items first. Only ids are sorted, because the rows have long texts."""
        ids = select_chosen(select(t.item.c.id).select_from(with_target(t.item)), self.run_id, self.items)
        async with self.engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ")
            result = await connection.stream(ids.order_by(*_WORST_FIRST).execution_options(yield_per=chunk))
            async for part in result.partitions():
                chosen = [row.id for row in part]
                rows = await connection.execute(query.where(among(t.item.c.id, chosen)))
                by_id = {row["id"]: row for row in rows.mappings()}
                for item_id in chosen:
                    yield by_id[item_id]

    async def busy_s(self) -> Mapping[UUID | None, float]:
        if self.items != ItemFilter():
            return {}
        return (await ranking_of(self.engine, self.run_id)).speed.busy_s()

    async def ranking(self) -> str | None:
        run = await RunQueries(self.engine).detail(self.run_id, tasks=False)
        return None if run is None else await self.target_ranking.sentence(self.run_id, run.results)

    async def results(self) -> ExportResults:
        run = await RunQueries(self.engine).detail(self.run_id, tasks=False)
        if run is None:
            raise no_run(self.run_id)
        async with self.engine.connect() as connection:
            judges = await agreements_of(connection, self.run_id)
        is_whole = self.items == ItemFilter()
        return ExportResults(run.totals, run.results, run.warnings, is_whole=is_whole, judges=judges)

    def rows(self, columns: Sequence[str]) -> AsyncIterator[Sequence[ExportRow]]:
        return ahead(self._rows(columns))

    async def _rows(self, columns: Sequence[str]) -> AsyncGenerator[Sequence[ExportRow]]:
        shown = (COLUMNS[name].label(name) if name in COLUMNS else t.item.c[name] for name in columns)
        joined = select(*shown).select_from(with_target(t.item))
        joined = joined.outerjoin(t.model_call, t.model_call.c.id == t.item.c.call_id)
        async with self.engine.connect() as connection:
            # Two statements read items and scores, so both must see the same snapshot.
            await connection.execution_options(isolation_level="REPEATABLE READ")
            result = await connection.stream(self._ordered(joined))
            async for items in result.partitions():
                scores = await _scores(connection, [item[0] for item in items])
                yield [ExportRow(item, scores.get(item[0], ())) for item in items]

    def _ordered(self, query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
        chosen = select_chosen(query, self.run_id, self.items, answers_joined=True)
        return chosen.order_by(t.item.c.position).execution_options(yield_per=CHUNK_ITEMS)


async def _scores(connection: AsyncConnection, item_ids: Sequence[UUID]) -> dict[UUID, list[PlainScore]]:
    query = _PLAIN_SCORES.where(among(t.score.c.item_id, item_ids)).order_by(t.run_evaluator.c.position)
    scores: dict[UUID, list[PlainScore]] = {}
    for row in await connection.execute(query):
        score = PlainScore(*row)
        scores.setdefault(score.item_id, []).append(score)
    return scores
