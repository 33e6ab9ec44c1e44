"""Build and cache the SQL statements of the transaction in which a run is changed (`RunStore.lead`). Building one costs
as much as executing it."""

from functools import cache
from typing import Any, Final

from sqlalchemy import (
    CTE,
    Column,
    Integer,
    Select,
    Table,
    Text,
    Update,
    Uuid,
    any_,
    bindparam,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus, TaskGateStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ITEMS, TARGET_COLUMNS, scores_from, with_target
from orchestrator.runs.adapters import conversations

_IDS = bindparam("ids", type_=ARRAY(Uuid))
# Use a literal: with a parameter, a generic plan could not use the partial index on this status.
_NEW: Final = literal_column("'NEW'", Text)
_IN_PROGRESS: Final = literal_column("'IN_PROGRESS'", Text)


@cache
def claiming_items(*, gated: bool) -> Select[Any]:
    """Return the statement that claims due items of a group. With `gated`, the items of suite tasks that wait
    for an undecided gate are left out.

    Parameters: `of_group` (the group's id), `most` (the maximum number of items), and `at` (the present time). It
    returns rows that `item_of` can read, ordered by position. Items that failed before are claimed last.
    """
    due = _due(t.item).where(conversations.is_next())
    if gated:
        gate = t.run_task_gate.c
        holding = select(gate.task).where(gate.run_id == t.item.c.run_id, gate.target_id == t.item.c.target_id)
        holding = holding.where(gate.status == TaskGateStatus.OPEN, t.item.c.suite_task == any_(gate.holds))
        due = due.where(~holding.correlate(t.item).exists())
    claimed = _claim(t.item, due).returning(t.item).cte("claimed")
    return select(claimed, *TARGET_COLUMNS).select_from(with_target(claimed)).order_by(claimed.c.position)


@cache
def claiming_scores() -> Select[Any]:
    """Return the statement that claims due scores of a group.

    Parameters: `of_group` (the group's id), `most` (the maximum number of scores), and `at` (the present time). It
    returns rows that `score_of` can read, ordered by position. Scores that failed before are claimed last.
    """
    claimed = _claim(t.score, _due(t.score)).returning(t.score).cte("claimed")
    return scores_from(claimed).order_by(claimed.c.position)


def _due(table: Table) -> Select[Any]:
    return (
        select(table.c.id)
        .where(table.c.group_id == bindparam("of_group"), table.c.status == _NEW)
        .where((table.c.next_attempt_at.is_(None)) | (table.c.next_attempt_at <= bindparam("at")))
        .order_by(table.c.next_attempt_at.nulls_first(), table.c.position)
        .limit(bindparam("most", type_=Integer))
    )


def _claim(table: Table, due: Select[Any]) -> Update:
    # Use `ANY(array)`: the planner expects few rows; for a subquery with an unknown LIMIT it assumes 10 % of the table.
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
    """Return the query that locks and reads a run's row, so that only one orchestrator changes the run. Parameter:
    `of_run`, the run's id.

    The lock FOR NO KEY UPDATE lets other sessions insert rows that refer to the run, as the gateway does for each call.
    The query also reads the organisation's budget and whether the organisation is closed, which saves a round trip.
    """
    budget = t.organisation.c.settings["cost_budget_monthly_usd"].as_float().label("org_budget_usd")
    closed = t.organisation.c.closed_at.is_not(None).label("org_closed")
    of_org = t.organisation.c.id == t.run.c.org_id
    locked = select(t.run, budget, closed).join(t.organisation, of_org).where(t.run.c.id == bindparam("of_run"))
    return locked.with_for_update(key_share=True, of=t.run)


@cache
def groups() -> Select[Any]:
    """Return the query for a run's groups, ordered by position. Parameter: `of_run`, the run's id."""
    of_run = t.run_group.c.run_id == bindparam("of_run")
    return select(t.run_group).where(of_run).order_by(t.run_group.c.position)


def _chosen(table: Table, by: Column[Any]) -> CTE:
    # Find the rows by their ids before the joins. Without statistics the planner would go from every target of the
    # database to its items, which made the statements of a new database twice as slow within 20 runs.
    return select(table).where(by == any_(_IDS)).cte("chosen").prefix_with("MATERIALIZED")


@cache
def items() -> Select[Any]:
    """Return the query for items of a run, as rows that `item_of` can read, ordered by position. Parameters: `ids` and
    `of_run`. An id of another run is left out."""
    chosen = _chosen(t.item, t.item.c.id)
    found = select(chosen, *TARGET_COLUMNS).select_from(with_target(chosen))
    return found.where(chosen.c.run_id == bindparam("of_run")).order_by(chosen.c.position)


@cache
def scores() -> Select[Any]:
    """Return the query for scores, as rows that `score_of` can read, ordered by position. Parameter: `ids`."""
    chosen = _chosen(t.score, t.score.c.id)
    return scores_from(chosen).order_by(chosen.c.position)


@cache
def scores_of_items() -> Select[Any]:
    """Return the query for the scores of items, each with its evaluator's settings in the run, such as the weight.
    Parameter: `ids`, the items' ids."""
    evaluator = t.run_evaluator.c
    score = _chosen(t.score, t.score.c.item_id)
    return (
        select(
            score,
            evaluator.weight,
            evaluator.required,
            evaluator.slot,
            evaluator.primary,
            evaluator.whole,
            evaluator.pass_threshold,
            evaluator.pass_mark,
            evaluator.members,
            evaluator.quorum,
            evaluator.member,
            evaluator.corrects,
            t.evaluator_revision.c.judge_model,
        )
        .join(
            t.run_evaluator,
            (evaluator.run_id == score.c.run_id) & (evaluator.evaluator_revision_id == score.c.evaluator_revision_id),
        )
        .join(t.evaluator_revision, t.evaluator_revision.c.id == score.c.evaluator_revision_id)
        .order_by(evaluator.position)
    )


@cache
def first_in_flight(phase: RunPhase) -> Select[Any]:
    """Return the query for the item with the lowest position that a group is answering or, in phase JUDGING, scoring.
    Parameter: `of_group`, the group's id."""
    table, its_item = (t.item, t.item.c.id) if phase == RunPhase.BENCHMARKING else (t.score, t.score.c.item_id)
    # Look the item up by the partial index of its status: without statistics the planner would scan the table.
    first = (
        select(its_item)
        .where(table.c.group_id == bindparam("of_group", type_=Uuid), table.c.status == _IN_PROGRESS)
        .order_by(table.c.position)
        .limit(literal_column("1", Integer))
    )
    return ITEMS.where(t.item.c.id == first.scalar_subquery())


@cache
def task_gates() -> Select[Any]:
    """Return the query for the gates between the tasks of a suite run. A gate decides whether a task is asked.
    Parameter: `of_run`, the run's id."""
    gate = t.run_task_gate
    of_target = select(gate, t.target.c.label).join(t.target, t.target.c.id == gate.c.target_id)
    of_run = of_target.where(gate.c.run_id == bindparam("of_run"))
    return of_run.order_by(t.target.c.position, gate.c.last_position, gate.c.task)


@cache
def due_task_gates() -> Select[Any]:
    """Return the query for the gates that are not decided yet, and now can be. Parameter: `of_run`, the run's id.

    A gate can be decided when no item of its gating task is NEW or IN_PROGRESS. In addition, each score of these items
    by an evaluator without a model must be SCORED or FAILED.
    """
    gate, item, score, group = t.run_task_gate.c, t.item.c, t.score.c, t.run_group.c
    by_program = (
        select(score.id)
        .join(t.run_group, (group.run_id == score.run_id) & (group.id == score.group_id))
        .where(score.item_id == item.id, score.status.in_((ScoreStatus.NEW, ScoreStatus.IN_PROGRESS)))
        .where(group.provider_id.is_(None))
    )
    to_ask = item.status.in_((ItemStatus.NEW, ItemStatus.IN_PROGRESS))
    answered = item.status.in_((ItemStatus.WAITING_FOR_JUDGE, ItemStatus.JUDGING))
    # Look from the end: items are asked in the order of their positions, so the last ones are open the longest.
    left = (
        select(item.id)
        .where(item.run_id == gate.run_id, item.position.between(gate.first_position, gate.last_position))
        .where(to_ask | (answered & by_program.correlate(t.item).exists()))
        .order_by(item.position.desc())
        .limit(literal_column("1", Integer))
    )
    return task_gates().where(
        gate.status == TaskGateStatus.OPEN, left.correlate(t.run_task_gate).scalar_subquery().is_(None)
    )
