"""Convert table rows to records and back. The `*_STATE` tuples name the columns that may change after the creation of a
run."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy import ColumnElement, FromClause, RowMapping, Select, Uuid, any_, func, join, literal, select, text
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.outcome import FIGURES, CallFigures
from llmbench.contracts.prompt import Prompt
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_words import (
    GroupStatus,
    ItemStatus,
    RunOutcome,
    RunPhase,
    RunStatus,
    RunType,
    ScoreStatus,
    TaskGateStatus,
)
from llmbench.db import tables as t
from orchestrator.kernel.adapters.subjects import subject_of
from orchestrator.kernel.domain.records import Group, Item, Lane, Run, Score, TaskGate

RUN_STATE: Final = (
    "concurrent",
    "status",
    "phase",
    "outcome",
    "status_reason",
    "answered_count",
    "judged_count",
    "failed_count",
    "skipped_count",
    "open_task_gates",
    "warnings",
    "max_cost_usd",
    "cost_usd",
    "unpriced_count",
    "last_seq",
    "started_at",
    "reopened_at",
    "finished_at",
    "took_s",
    "gate_due",
)
TARGET_COLUMNS: Final = (
    t.target.c.label,
    t.target.c.model,
    t.target.c.params,
    t.target.c.prompt,
    t.target.c.timeout_s,
    t.target.c.max_attempts,
    t.target.c.use_cache,
    t.run_suite_task.c.params.label("task_params"),
)


def with_target(item: FromClause) -> FromClause:
    """Join `item` with the tables that have the columns `TARGET_COLUMNS`. `item` is the table, or a subquery with all
    its columns."""
    task = t.run_suite_task.c
    of_target = join(item, t.target, t.target.c.id == item.c.target_id)
    return of_target.outerjoin(t.run_suite_task, (task.run_id == item.c.run_id) & (task.name == item.c.suite_task))


ITEMS: Final = select(t.item, *TARGET_COLUMNS).select_from(with_target(t.item))
"""The query for items, with the columns that `item_of` reads."""

ANSWER: Final = func.coalesce(t.item.c.given_answer, t.model_call.c.content)
"""SQL expression: an item's answer, either supplied by the client or received from the model. The query must join the
item with its call."""

NOTES: Final = func.coalesce(t.model_call.c.outcome["notes"], text("'[]'::jsonb"))
"""SQL expression: the notes about changes of the call's request or answer; empty for a supplied answer."""

REDACTIONS: Final = func.coalesce(t.model_call.c.outcome["redactions"].as_integer(), 0)
"""SQL expression: the number of places where the answer repeated a secret of the call."""

ANSWER_SQL: Final = "coalesce(item.given_answer, model_call.content)"
"""The SQL text of `ANSWER`, for queries that are written as text."""


def scores_from(score: FromClause) -> Select[Any]:
    """Return the query for scores, with the columns that `score_of` reads. `score` is the table `score`, or a subquery
    with all its columns."""
    revision, evaluator = t.evaluator_revision.c, t.run_evaluator.c
    return (
        select(score, revision.kind, revision.params.label("params"), evaluator.slot, evaluator.pass_threshold)
        .join(t.evaluator_revision, revision.id == score.c.evaluator_revision_id)
        .join(
            t.run_evaluator,
            (evaluator.run_id == score.c.run_id) & (evaluator.evaluator_revision_id == score.c.evaluator_revision_id),
        )
    )


SCORES: Final = scores_from(t.score)
GROUP_STATE: Final = (
    "status",
    "dispatch",
    "warm_up_attempts",
    "call_in_flight",
    "local_host",
    "new_count",
    "in_flight_count",
    "done_count",
    "failed_count",
    "backoff_since",
    "backoff_until",
    "backoff_count",
    "backoff_reason",
    "suspect_id",
    "out_of_credit_reason",
    "failure_reason",
    "failure_cause",
    "opened_at",
    "closed_at",
)
ITEM_STATE: Final = (
    "status",
    "dispatch",
    "attempts",
    "next_attempt_at",
    "call_id",
    "failure",
    *FIGURES,
    "answer_kind",
    "score_revision_id",
    "score",
    "score_normalised",
    "passed",
    "reason",
    "completed_at",
)
_PLAIN_OF_ITEM: Final = (
    *("id", "group_id", "given_answer", "target_id", "position", "epoch", "model"),
    *("timeout_s", "max_attempts", "use_cache"),
    *(name for name in ITEM_STATE if name not in ("status", "failure", *FIGURES)),
)
_NO_CALL: Final = CallFigures()
SCORE_STATE: Final = (
    "status",
    "dispatch",
    "attempts",
    "next_attempt_at",
    "outcome",
    "raw",
    "normalised",
    "passed",
    "reason",
    "error",
    "error_cause",
    "details",
    "cost_usd",
    "call_ids",
)


def among(column: Any, ids: Sequence[UUID]) -> ColumnElement[bool]:
    """Return the condition that `column` is one of `ids`. All ids are one array parameter, because a query can have
    only 32,767 parameters."""
    return column == any_(literal(list(ids), ARRAY(Uuid)))  # type: ignore[no-any-return]


def values_of(record: Item | Score, columns: Sequence[str]) -> dict[str, Any]:
    """Return the record's values of `columns`, by column. Fields of an item's `figures` have columns of their own."""
    values = vars(record) | vars(record.figures) if isinstance(record, Item) else vars(record)
    return {column: values[column] for column in columns}


def state_of(record: Run | Group, columns: Sequence[str]) -> dict[str, Any]:
    """Return the values of `columns` in the form in which they are stored. The caller compares two such results to find
    the columns that have changed."""
    return {column: _stored(getattr(record, column)) for column in columns}


def _stored(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, list) else value


def _same(row: RowMapping, names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


def run_of(row: RowMapping) -> Run:
    return Run(
        **_same(row, ("id", "org_id", "name", "concurrent")),
        **_same(row, ("timeout_s", "max_attempts", "max_backoff_s", "max_conversation_history", "show_choices")),
        **_same(row, ("parallel_groups",)),
        **_same(
            row, ("item_count", "answered_count", "judged_count", "failed_count", "skipped_count", "open_task_gates")
        ),
        **_same(row, ("warnings", "max_cost_usd", "cost_usd", "unpriced_count", "last_seq")),
        **_same(row, ("status_reason", "traceparent", "started_at", "reopened_at", "finished_at", "took_s")),
        status=RunStatus(row["status"]),
        phase=RunPhase(row["phase"]),
        outcome=RunOutcome(row["outcome"]) if row["outcome"] else None,
        gated=subject_of(row) is not None,
        gate_due=row["gate_due"],
        org_budget_usd=row["org_budget_usd"],
        org_closed=row["org_closed"],
        type=RunType(row["type"]),
    )


def group_of(row: RowMapping) -> Group:
    plain = [name for name in GROUP_STATE if name != "status"]
    lane = None
    if row["provider_id"] is not None:
        lane = Lane(ProviderSnapshot.model_validate(row["provider"]), model=row["model"], token=row["token"])
    return Group(
        **_same(row, ("id", "position", "concurrency", "releases", *plain)),
        lane=lane,
        phase=RunPhase(row["phase"]),
        status=GroupStatus(row["status"]),
    )


def item_of(row: RowMapping) -> Item:
    """Convert a row of `item` joined with its target's columns, see `ITEMS`."""
    return Item(
        **_same(row, _PLAIN_OF_ITEM),
        target_label=row["label"],
        # Parameters of the suite's task apply where the target does not override them.
        params=SamplingParams.model_validate((row["task_params"] or {}) | row["params"]),
        prompt=Prompt.model_validate(row["prompt"]) if row["prompt"] else None,
        case=Case.model_validate(row["case"]),
        figures=CallFigures(**_same(row, FIGURES)) if row["call_id"] else _NO_CALL,
        status=ItemStatus(row["status"]),
        failure=ItemFailure.model_validate(row["failure"]) if row["failure"] else None,
    )


def score_of(row: RowMapping) -> Score:
    """Convert a row of `score` joined with its revision and its `run_evaluator` row, see `SCORES`."""
    plain = [name for name in SCORE_STATE if name != "status"]
    return Score(
        **_same(row, ("id", "item_id", "group_id", "evaluator_revision_id", "kind", "params", *plain)),
        **_same(row, ("slot", "pass_threshold")),
        status=ScoreStatus(row["status"]),
    )


def task_gate_of(row: RowMapping) -> TaskGate:
    """Convert a row of `run_task_gate` joined with its target's label."""
    return TaskGate(
        **_same(row, ("target_id", "task", "gating_task", "min_score", "first_position", "last_position")),
        **_same(row, ("score", "scored", "decided_at")),
        target_label=row["label"],
        holds=tuple(row["holds"]),
        status=TaskGateStatus(row["status"]),
    )
