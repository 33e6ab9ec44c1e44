"""Statements of every step of a run, put together once: to do so costs as much as to execute them."""

from functools import cache
from typing import Any, Final

from sqlalchemy import Integer, Select, Table, Text, Update, Uuid, any_, bindparam, func, literal_column, select, update
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.run_words import RunPhase
from llmbench.db import tables as t
from orchestrator.adapters import conversations
from orchestrator.adapters.rows import ITEMS, SCORES, TARGET_COLUMNS, scores_from

_IDS = bindparam("ids", type_=ARRAY(Uuid))
# Written out: a plan that is kept for any value can use no index that is of this one alone.
_NEW: Final = literal_column("'NEW'", Text)
_IN_PROGRESS: Final = literal_column("'IN_PROGRESS'", Text)


@cache
def claiming_items() -> Select[Any]:
    """`of_group`, `most`, `at` → so many that are due, as `item_of` reads them, by position."""
    due = _due(t.item).where(conversations.is_next())
    claimed = _claim(t.item, due).returning(t.item).cte("claimed")
    return (
        select(claimed, *TARGET_COLUMNS)
        .join(t.target, t.target.c.id == claimed.c.target_id)
        .order_by(claimed.c.position)
    )


@cache
def claiming_scores() -> Select[Any]:
    """`of_group`, `most`, `at` → so many that are due, as `score_of` reads them, by position."""
    claimed = _claim(t.score, _due(t.score)).returning(t.score).cte("claimed")
    return scores_from(claimed).order_by(claimed.c.position)


def _due(table: Table) -> Select[Any]:
    return (
        select(table.c.id)
        .where(table.c.group_id == bindparam("of_group"), table.c.status == _NEW)
        .where((table.c.next_attempt_at.is_(None)) | (table.c.next_attempt_at <= bindparam("at")))
        .order_by(table.c.position)
        .limit(bindparam("most", type_=Integer))
    )


def _claim(table: Table, due: Select[Any]) -> Update:
    # As an array, which counts as a few: of a subquery whose limit is not known yet, a tenth of the table is expected.
    return (
        update(table)
        .where(table.c.id == any_(func.array(due.scalar_subquery(), type_=ARRAY(Uuid))))
        .values(
            status="IN_PROGRESS",
            dispatch=table.c.dispatch + 1,
            dispatched_at=bindparam("at"),
            updated_at=bindparam("at"),
        )
    )


@cache
def locking_run() -> Select[Any]:
    """`of_run` → its row, which nobody else leads until the end of the transaction.

    NO KEY UPDATE: whoever stores a row that refers to the run, as the gateway does for each paid call, need not wait.
    """
    return select(t.run).where(t.run.c.id == bindparam("of_run")).with_for_update(key_share=True)


@cache
def groups() -> Select[Any]:
    """`of_run` → its groups in their order."""
    of_run = t.run_group.c.run_id == bindparam("of_run")
    return select(t.run_group).where(of_run).order_by(t.run_group.c.position)


@cache
def items() -> Select[Any]:
    """`ids` → as `item_of` reads them, by position."""
    return ITEMS.where(t.item.c.id == any_(_IDS)).order_by(t.item.c.position)


@cache
def scores() -> Select[Any]:
    """`ids` → as `score_of` reads them, by position."""
    return SCORES.where(t.score.c.id == any_(_IDS)).order_by(t.score.c.position)


@cache
def scores_of_items() -> Select[Any]:
    """`ids` of items → their scores, with what each counts for."""
    evaluator = t.run_evaluator.c
    return (
        select(
            t.score,
            evaluator.weight,
            evaluator.required,
            evaluator.slot,
            evaluator.whole,
            evaluator.pass_threshold,
            evaluator.pass_mark,
            evaluator.members,
            evaluator.quorum,
            evaluator.member,
            t.evaluator_revision.c.judge_model,
        )
        .join(
            t.run_evaluator,
            (evaluator.run_id == t.score.c.run_id)
            & (evaluator.evaluator_revision_id == t.score.c.evaluator_revision_id),
        )
        .join(t.evaluator_revision, t.evaluator_revision.c.id == t.score.c.evaluator_revision_id)
        .where(t.score.c.item_id == any_(_IDS))
        .order_by(evaluator.position)
    )


@cache
def first_in_flight(phase: RunPhase) -> Select[Any]:
    """`of_group` → the item that was asked about, or is judged, for longest."""
    table, its_item = (t.item, t.item.c.id) if phase == RunPhase.BENCHMARKING else (t.score, t.score.c.item_id)
    # Of those in flight alone, by their own index: a table of which nothing is known yet is not to be walked through.
    first = (
        select(its_item)
        .where(table.c.group_id == bindparam("of_group", type_=Uuid), table.c.status == _IN_PROGRESS)
        .order_by(table.c.position)
        .limit(literal_column("1", Integer))
    )
    return ITEMS.where(t.item.c.id == first.scalar_subquery())
