"""The records of schedules and firings that the handlers use."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from llmbench.contracts.run_words import RunOutcome, RunStatus
from llmbench.contracts.schedule_words import FiringCause, FiringStatus
from orchestrator.kernel.domain.new_run import NewWebhook


@dataclass(frozen=True)
class Plan:
    """The part of a schedule that its user sets. `what` is the thing to start: its kind, and the request for it.

    `webhook` is the webhook of each run. A plan that is read from the database has it only if a run is to be started,
    because its secret is encrypted there.
    """

    name: str
    cron: str
    time_zone: str
    what: Mapping[str, Any]
    skip_if_running: bool
    webhook: NewWebhook | None = None


@dataclass(frozen=True)
class FiredRun:
    id: UUID
    name: str
    status: RunStatus
    outcome: RunOutcome | None
    reason: str | None


@dataclass(frozen=True)
class Firing:
    """A firing of a schedule: a time at which it was due, or was run by hand. `run` is null while no run exists, and
    after the run was deleted."""

    id: UUID
    schedule_id: UUID
    cause: FiringCause
    status: FiringStatus
    due_at: datetime
    fired_at: datetime
    missed: int
    reason: str | None
    run: FiredRun | None


@dataclass(frozen=True)
class Schedule:
    """A stored schedule: its plan, its state, and its latest firing (`last`)."""

    id: UUID
    plan: Plan
    paused: bool
    next_due_at: datetime | None
    version: int
    created_at: datetime
    created_by: UUID | None
    updated_at: datetime
    last: Firing | None


@dataclass(frozen=True)
class Start:
    """A firing whose run has to be created, with the plan of its schedule."""

    firing_id: UUID
    org_id: UUID
    schedule_id: UUID
    plan: Plan
    attempts: int
    fired_at: datetime
