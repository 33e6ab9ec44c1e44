"""Turn a filter of items into conditions of SQL."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Float, Select, Uuid, bindparam, func, or_, select, text

from llmbench.contracts.outcome import CUT
from llmbench.db import tables as t
from orchestrator.kernel.adapters.overall import OF_ITEM
from orchestrator.kernel.adapters.primary_revision import with_primary_revisions
from orchestrator.kernel.adapters.rows import ANSWER
from orchestrator.results.ports.queries import ItemFilter

FAILURE_CAUSE: Final = func.coalesce(t.item.c.failure["cause"].astext, t.item.c.failure["kind"].astext)
"""SQL expression: the cause by which failed items are grouped, as in `ItemFailure.grouped_by`."""

SCORES_OF_ITEMS: Final = (
    t.score.join(
        t.run_evaluator,
        (t.run_evaluator.c.run_id == t.score.c.run_id)
        & (t.run_evaluator.c.evaluator_revision_id == t.score.c.evaluator_revision_id),
    )
).join(t.evaluator_revision, t.evaluator_revision.c.id == t.score.c.evaluator_revision_id)


# Selects by the overall score from which the run's statistics are computed. `item.score_normalised` may differ: it is
# rounded, or may come from an earlier judge. It serves as a cheap preselection.
_WITHIN: Final = text(
    f"""
    WITH {with_primary_revisions("= :of_run")}
    SELECT item.id FROM item {OF_ITEM}
    WHERE item.run_id = :of_run AND item.score_normalised BETWEEN :overall_min - 1e-6 AND :overall_below + 1e-6
          AND value >= :overall_min AND value < :overall_below
    """  # noqa: S608  # made of constants
)


def select_chosen(
    query: Select[*tuple[Any, ...]], run_id: UUID, chosen: ItemFilter, *, answers_joined: bool = False
) -> Select[*tuple[Any, ...]]:
    if chosen.text and not answers_joined:
        query = query.outerjoin(t.model_call, t.model_call.c.id == t.item.c.call_id)
    return query.where(t.item.c.run_id == run_id, *_conditions(chosen), *_within(run_id, chosen))


def select_verdicts(
    query: Select[*tuple[Any, ...]], run_id: UUID, chosen: ItemFilter
) -> tuple[Select[*tuple[Any, ...]], ColumnElement[bool], ColumnElement[bool]]:
    """Return the query for the items that the filter would find without its `passed`, and two expressions: whether such
    an item passed, and whether it did not. Both are true if the filter's evaluator gave scores of both kinds.

    The scores of an evaluator are joined, once for the run: to look them up for each item and verdict took ten times as
    long.
    """
    others = replace(chosen, passed=None)
    if chosen.evaluator is None:
        return select_chosen(query, run_id, others), t.item.c.passed.is_(True), t.item.c.passed.is_(False)
    passed = t.score.c.passed
    verdicts = (
        _scores(others)
        .with_only_columns(
            t.score.c.item_id,
            func.bool_or(passed.is_(True)).label("passed"),
            func.bool_or(passed.is_(False)).label("refused"),
        )
        .where(t.score.c.run_id == run_id)
        .group_by(t.score.c.item_id)
        .subquery()
    )
    joined = query.join(verdicts, verdicts.c.item_id == t.item.c.id)
    of_items = replace(others, evaluator=None, score_min=None, score_max=None, outcomes=())
    return select_chosen(joined, run_id, of_items), verdicts.c.passed, verdicts.c.refused


def _within(run_id: UUID, chosen: ItemFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the SQL condition that the overall score (0…1) lies within the bounds of the filter `chosen`. Yield nothing
    if the filter has no bounds."""
    if chosen.overall_min is None and chosen.overall_below is None:
        return
    low = -math.inf if chosen.overall_min is None else chosen.overall_min
    below = math.inf if chosen.overall_below is None else chosen.overall_below
    ids = _WITHIN.bindparams(
        bindparam("of_run", run_id, type_=Uuid),
        bindparam("overall_min", low, type_=Float),
        bindparam("overall_below", below, type_=Float),
    )
    yield t.item.c.id.in_(ids.columns(t.item.c.id))


def _conditions(chosen: ItemFilter) -> Iterator[ColumnElement[bool]]:
    for column, values in (
        (t.item.c.status, chosen.statuses),
        (t.item.c.target_id, chosen.target_ids),
        (t.target.c.model, chosen.models),
        (t.item.c.category, chosen.categories),
        (t.item.c.suite_task, chosen.suite_tasks),
        (t.item.c.failure["kind"].astext, chosen.failure_kinds),
        (FAILURE_CAUSE, chosen.failure_causes),
        (t.item.c.finish_reason, chosen.finish_reasons),
        (t.item.c.answer_kind, chosen.answer_kinds),
    ):
        if values:
            yield column.in_(values)
    if chosen.tags:
        yield t.item.c.case.contains({"metadata": {"tags": list(chosen.tags)}})
    if chosen.task_id is not None:
        yield t.item.c.task_id == chosen.task_id
    if chosen.conversation_id is not None:
        yield t.item.c.conversation_id == chosen.conversation_id
    if chosen.failure_phase is not None:
        yield t.item.c.failure["phase"].astext == chosen.failure_phase
    if chosen.time_min is not None:
        yield t.item.c.time_ms >= chosen.time_min
    if chosen.time_below is not None:
        yield t.item.c.time_ms < chosen.time_below
    if chosen.evaluator is None:
        yield from _scored(t.item.c.score, t.item.c.passed, chosen)
    if chosen.evaluator is not None or chosen.outcomes:
        yield _scores(chosen).where(t.score.c.item_id == t.item.c.id).correlate(t.item).exists()
    if chosen.cached is not None:
        yield t.item.c.cached == chosen.cached
    if chosen.cut is not None:
        # A null finish reason does not count as cut: the provider gave no reason.
        yield t.item.c.finish_reason.is_distinct_from(CUT) != chosen.cut
    if chosen.text:
        searched = (t.item.c.task_id, t.item.c.case["question"].astext, ANSWER, t.item.c.reason)
        yield or_(*(column.icontains(chosen.text, autoescape=True) for column in searched))


def _scored(score: ColumnElement[Any], passed: ColumnElement[Any], chosen: ItemFilter) -> Iterator[ColumnElement[bool]]:
    if chosen.score_min is not None:
        yield score >= chosen.score_min
    if chosen.score_max is not None:
        yield score <= chosen.score_max
    if chosen.passed is not None:
        yield passed == chosen.passed


def _scores(chosen: ItemFilter) -> Select[*tuple[Any, ...]]:
    """Return the query for the matching scores: by the filter's evaluator, or by any evaluator if the filter names
    none."""
    scores = select(t.score.c.id).select_from(SCORES_OF_ITEMS)
    if chosen.evaluator is not None:
        scores = scores.where(t.run_evaluator.c.slot == chosen.evaluator)
        scores = scores.where(*_scored(t.score.c.raw, t.score.c.passed, chosen))
    if chosen.outcomes:
        scores = scores.where(t.score.c.outcome.in_(chosen.outcomes))
    return scores
