"""Build schedules and firings from rows of the database."""

from dataclasses import replace
from typing import Any

from sqlalchemy import RowMapping, Select, select

from llmbench.contracts.run_words import RunOutcome, RunStatus
from llmbench.contracts.schedule_words import FiringCause, FiringStatus
from llmbench.db import tables as t
from orchestrator.kernel.domain.new_run import NewWebhook
from orchestrator.schedules.domain.records import FiredRun, Firing, Plan, Schedule, Start

_RUN = ("name", "status", "outcome", "status_reason")


def firings() -> Select[*tuple[Any, ...]]:
    """Return the query of firings with their runs."""
    columns = (t.run.c[name].label(f"run_{name}") for name in _RUN)
    source = t.schedule_firing.outerjoin(t.run, t.run.c.id == t.schedule_firing.c.run_id)
    return select(t.schedule_firing, *columns).select_from(source)


def firing_of(row: RowMapping) -> Firing:
    return Firing(
        id=row["id"],
        schedule_id=row["schedule_id"],
        cause=FiringCause(row["cause"]),
        status=FiringStatus(row["status"]),
        due_at=row["due_at"],
        fired_at=row["fired_at"],
        missed=row["missed"],
        reason=row["reason"],
        run=None if row["run_id"] is None else _run_of(row),
    )


def schedule_of(row: RowMapping, last: Firing | None) -> Schedule:
    return Schedule(
        id=row["id"],
        plan=plan_of(row),
        paused=row["paused"],
        next_due_at=row["next_due_at"],
        version=row["version"],
        created_at=row["created_at"],
        created_by=row["created_by"],
        updated_at=row["updated_at"],
        last=last,
    )


def plan_of(row: RowMapping) -> Plan:
    return Plan(row["name"], row["cron"], row["time_zone"], row["what"], row["skip_if_running"])


def start_of(firing: RowMapping, schedule: RowMapping, webhook: NewWebhook | None) -> Start:
    return Start(
        firing_id=firing["id"],
        org_id=firing["org_id"],
        schedule_id=firing["schedule_id"],
        plan=replace(plan_of(schedule), webhook=webhook),
        attempts=firing["attempts"],
        fired_at=firing["fired_at"],
    )


def _run_of(row: RowMapping) -> FiredRun:
    outcome = row["run_outcome"]
    return FiredRun(
        id=row["run_id"],
        name=row["run_name"],
        status=RunStatus(row["run_status"]),
        outcome=None if outcome is None else RunOutcome(outcome),
        reason=row["run_status_reason"],
    )
