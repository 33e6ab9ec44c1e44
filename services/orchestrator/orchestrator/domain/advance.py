"""What a run does next: one pure function over counts per group and status.

Every command, result, timer and start-up ends in a call of `advance`. It is idempotent: while an
action it asked for has not changed the counts, it asks for the same again, and it asks for
nothing that is already under way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from llmbench.contracts.run_words import GroupStatus, RunOutcome, RunPhase, RunStatus

PREFETCH = 2
"""Commands kept waiting behind those in flight, so that the gateway never starves: at least so many, and more where
they are quick (`Pace`)."""
PREFETCH_SHARE = 4
"""And at least one for so many of those in flight: as many end before their reports are taken, see `Leadership`."""


@dataclass(frozen=True)
class GroupView:
    """One model group. The counts are of its items, in phase JUDGING of its scores: `new` are to
    be dispatched, `in_flight` dispatched and not reported. `opened`: its model may be loaded."""

    id: UUID
    phase: RunPhase
    position: int
    status: GroupStatus
    concurrency: int
    new: int
    in_flight: int
    opened: bool
    releases: bool
    call_in_flight: bool
    backoff_until: datetime | None


@dataclass(frozen=True)
class RunView:
    status: RunStatus
    phase: RunPhase
    items: int
    completed: int
    groups: Sequence[GroupView]
    prefetch: int = PREFETCH


@dataclass(frozen=True)
class OpenGroup:
    group_id: UUID


@dataclass(frozen=True)
class SendWarmUp:
    group_id: UUID


@dataclass(frozen=True)
class Dispatch:
    """Claim up to `count` of the group's work and send it."""

    group_id: UUID
    count: int


@dataclass(frozen=True)
class SendRelease:
    group_id: UUID


@dataclass(frozen=True)
class CloseGroup:
    group_id: UUID


@dataclass(frozen=True)
class EnterJudging:
    pass


@dataclass(frozen=True)
class Settle:
    """Nothing is in flight any more: PAUSING becomes PAUSED."""


@dataclass(frozen=True)
class Finish:
    outcome: RunOutcome


@dataclass(frozen=True)
class WakeAt:
    """Nothing to do before `at`."""

    at: datetime


Action = OpenGroup | SendWarmUp | Dispatch | SendRelease | CloseGroup | EnterJudging | Settle | Finish | WakeAt

_ENDED = frozenset({GroupStatus.CLOSED, GroupStatus.FAILED})


def advance(run: RunView, now: datetime) -> Action | None:
    """The one next action, or `None` when the run waits for a report (or is not running)."""
    if run.status == RunStatus.PAUSING:
        return None if any(_busy(group) for group in run.groups) else Settle()
    if run.status != RunStatus.RUNNING:
        return None
    group = _current(run)
    if group is not None:
        return _advance_group(group, run.prefetch, now)
    if run.phase == RunPhase.BENCHMARKING:
        return EnterJudging()
    return Finish(outcome_of(items=run.items, completed=run.completed))


def outcome_of(*, items: int, completed: int) -> RunOutcome:
    if completed == items:
        return RunOutcome.COMPLETE
    return RunOutcome.PARTIAL if completed else RunOutcome.FAILED


def _current(run: RunView) -> GroupView | None:
    """Groups go one after another: the first that is not over. One that failed is over when its
    calls in flight have reported."""
    ordered = sorted((group for group in run.groups if group.phase == run.phase), key=lambda group: group.position)
    return next((group for group in ordered if group.status not in _ENDED or _busy(group)), None)


def _busy(group: GroupView) -> bool:
    return group.in_flight > 0 or group.call_in_flight


def _advance_group(group: GroupView, prefetch: int, now: datetime) -> Action | None:
    waits_until = group.backoff_until if group.backoff_until is not None and group.backoff_until > now else None
    match group.status:
        case GroupStatus.WAITING:
            # A group without work is not worth loading a model for.
            return OpenGroup(group.id) if group.new else _end(group)
        case GroupStatus.WARMING_UP:
            if group.call_in_flight:
                return None
            return WakeAt(waits_until) if waits_until else SendWarmUp(group.id)
        case GroupStatus.OPEN:
            return _keep_busy(group, prefetch, waits_until)
        case GroupStatus.RELEASING:
            return None if group.call_in_flight else CloseGroup(group.id)
        case GroupStatus.CLOSED | GroupStatus.FAILED:
            return None


def _keep_busy(group: GroupView, prefetch: int, waits_until: datetime | None) -> Action | None:
    if group.new == 0 and group.in_flight == 0:
        return _end(group)
    if waits_until is not None:
        return WakeAt(waits_until)
    room = group.concurrency + max(prefetch, group.concurrency // PREFETCH_SHARE) - group.in_flight
    count = min(room, group.new)
    return Dispatch(group.id, count) if count > 0 else None


def _end(group: GroupView) -> Action:
    """A group that a pause suspended when its last answer was in is WAITING, and yet loaded."""
    return SendRelease(group.id) if group.opened and group.releases else CloseGroup(group.id)
