"""Decide the next action of a run: one pure function over counts per group and status.

Every command, result, timer and start-up leads to a call of `advance`. It is idempotent: it repeats an action until the
counts show its effect, and never requests work that is already in progress.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from llmbench.contracts.run_words import GroupStatus, RunOutcome, RunPhase, RunStatus

PREFETCH = 2
"""The minimum number of commands that wait behind those in flight, so that the gateway never runs out of work. `Pace`
raises it if calls are quick."""
PREFETCH_SHARE = 4
"""The prefetch is at least the group's concurrency divided by this. That many calls may end before their reports are
processed, see `Leadership`."""


@dataclass(frozen=True)
class GroupView:
    """One model group, as `advance` sees it.

    It counts items or, in phase JUDGING, scores: `new` ones have to be dispatched; `in_flight` ones are dispatched and
    have not reported. `opened`: the model may be loaded. `out_of_credit`: the group waits until the user adds credit to
    the provider's account.
    """

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
    out_of_credit: bool = False


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
    """Claim up to `count` items or scores of the group and send their commands."""

    group_id: UUID
    count: int


@dataclass(frozen=True)
class SendRelease:
    group_id: UUID


@dataclass(frozen=True)
class CloseGroup:
    group_id: UUID


@dataclass(frozen=True)
class SuspendGroup:
    """Suspend the group so that the next groups can proceed. It opens again when the run is resumed."""

    group_id: UUID


@dataclass(frozen=True)
class PauseForCredit:
    """Pause the run, because all groups with work left in this phase are out of credit."""


@dataclass(frozen=True)
class EnterJudging:
    pass


@dataclass(frozen=True)
class Settle:
    """Turn PAUSING into PAUSED, because nothing is in flight any more."""


@dataclass(frozen=True)
class Finish:
    outcome: RunOutcome


@dataclass(frozen=True)
class WakeAt:
    """Wait until `at`, because no work is due before."""

    at: datetime


Action = (
    OpenGroup
    | SendWarmUp
    | Dispatch
    | SendRelease
    | CloseGroup
    | SuspendGroup
    | PauseForCredit
    | EnterJudging
    | Settle
    | Finish
    | WakeAt
)

_ENDED = frozenset({GroupStatus.CLOSED, GroupStatus.FAILED})


def advance(run: RunView, now: datetime) -> Action | None:
    """Return the next action, or `None` when the run waits for a report or is not running."""
    if run.status == RunStatus.PAUSING:
        return None if any(_busy(group) for group in run.groups) else Settle()
    if run.status != RunStatus.RUNNING:
        return None
    group = _current(run)
    if group is not None:
        return _advance_group(group, run.prefetch, now)
    if any(group.phase == run.phase and group.status not in _ENDED for group in run.groups):
        return PauseForCredit()
    if run.phase == RunPhase.BENCHMARKING:
        return EnterJudging()
    return Finish(outcome_of(items=run.items, completed=run.completed))


def outcome_of(*, items: int, completed: int) -> RunOutcome:
    if completed == items:
        return RunOutcome.COMPLETE
    return RunOutcome.PARTIAL if completed else RunOutcome.FAILED


def _current(run: RunView) -> GroupView | None:
    """Return the first group of the phase that is not over, because groups proceed one after another.

    A failed group is over when its calls in flight have reported. A suspended group without credit is skipped.
    """
    ordered = sorted((group for group in run.groups if group.phase == run.phase), key=lambda group: group.position)
    return next((group for group in ordered if _busy(group) or not _is_passed_over(group)), None)


def _is_passed_over(group: GroupView) -> bool:
    return group.status in _ENDED or (_lacks_credit(group) and group.status == GroupStatus.WAITING)


def _lacks_credit(group: GroupView) -> bool:
    return group.out_of_credit and group.new > 0


def _busy(group: GroupView) -> bool:
    return group.in_flight > 0 or group.call_in_flight


def _advance_group(group: GroupView, prefetch: int, now: datetime) -> Action | None:
    waits_until = group.backoff_until if group.backoff_until is not None and group.backoff_until > now else None
    if _lacks_credit(group) and group.status in (GroupStatus.WARMING_UP, GroupStatus.OPEN):
        return None if _busy(group) else SuspendGroup(group.id)
    match group.status:
        case GroupStatus.WAITING:
            # Do not load a model for a group without work.
            return OpenGroup(group.id) if group.new else _end(group)
        case GroupStatus.WARMING_UP:
            # A group that is checked by a warm-up in the middle of its work may have calls in flight.
            if _busy(group):
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
    """Release the group's model, or close the group. After a pause, a group may be WAITING although its model is still
    loaded."""
    return SendRelease(group.id) if group.opened and group.releases else CloseGroup(group.id)
