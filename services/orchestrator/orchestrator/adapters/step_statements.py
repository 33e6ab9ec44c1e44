"""Statements of every step of a run, put together once: to do so costs as much as to execute them."""

from functools import cache
from typing import Any

from sqlalchemy import Integer, Select, Table, Update, Uuid, any_, bindparam, select, update
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus
from llmbench.db import tables as t
from orchestrator.adapters import conversations
from orchestrator.adapters.rows import ITEMS, SCORES, TARGET_COLUMNS, scores_from

_IDS = bindparam("ids", type_=ARRAY(Uuid))


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
        .where(table.c.group_id == bindparam("of_group"), table.c.status == "NEW")
        .where((table.c.next_attempt_at.is_(None)) | (table.c.next_attempt_at <= bindparam("at")))
        .order_by(table.c.position)
        .limit(bindparam("most", type_=Integer))
    )


def _claim(table: Table, due: Select[Any]) -> Update:
    return (
        update(table)
        .where(table.c.id.in_(due.scalar_subquery()))
        .values(
            status="IN_PROGRESS",
            dispatch=table.c.dispatch + 1,
            dispatched_at=bindparam("at"),
            updated_at=bindparam("at"),
        )
    )


@cache
def locking_run() -> Select[Any]:
    """`of_run` → its row, which nobody else leads until the end of the transaction."""
    return select(t.run).where(t.run.c.id == bindparam("of_run")).with_for_update()


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
    of_group = bindparam("of_group", type_=Uuid)
    if phase == RunPhase.BENCHMARKING:
        found = ITEMS.where(t.item.c.group_id == of_group, t.item.c.status == ItemStatus.IN_PROGRESS)
    else:
        found = ITEMS.join(t.score, t.score.c.item_id == t.item.c.id).where(
            t.score.c.group_id == of_group, t.score.c.status == ScoreStatus.IN_PROGRESS
        )
    return found.order_by(t.item.c.position).limit(1)
