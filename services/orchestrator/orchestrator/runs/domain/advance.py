"""Decide the next action of a run from its state and the counters of its model groups.

`advance` is pure: it repeats an action until the counters show the action's effect, and never requests work that is in
progress.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from llmbench.contracts.run_words import GroupStatus, RunOutcome, RunPhase, RunStatus

PREFETCH = 2
"""The minimum prefetch: the number of commands sent to the gateway beyond the group's concurrency, so that the gateway
never runs out of work. `Pace` computes a larger prefetch when calls are quick."""
PREFETCH_SHARE = 4
"""The prefetch is at least the group's concurrency divided by this number, because about as many finished calls may
wait until their reports are applied together (see `is_batch_due`)."""


@dataclass(frozen=True)
class GroupView:
    """The part of a model group's state that `advance` needs.

    `new` and `in_flight` are numbers of items or, in phase JUDGING, of scores. The `new` ones are not dispatched yet;
    the `in_flight` ones are dispatched and have not reported. `opened`: the group was opened, so its model may be
    loaded. `releases`: the model is unloaded at the end of the group. `call_in_flight`: a warm-up or a release has not
    reported yet. `out_of_credit`: the group waits until the user adds credit to the provider's account.
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
    """Suspend a group that is out of credit, so that the next groups can proceed. It opens again when the run is
    resumed."""

    group_id: UUID


@dataclass(frozen=True)
class PauseForCredit:
    """Pause the run, because all groups with work left in this phase are out of credit."""


@dataclass(frozen=True)
class EnterJudging:
    pass


@dataclass(frozen=True)
class Settle:
    """Change the run from PAUSING to PAUSED, because no call is in flight any more."""


@dataclass(frozen=True)
class Finish:
    outcome: RunOutcome


@dataclass(frozen=True)
class WakeAt:
    """Do nothing until the time `at`, because no work is due before it."""

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
    """Return the next action. Return `None` if the run waits for a report, or is neither RUNNING nor PAUSING."""
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
    """Return the group whose turn it is: the first group of the current phase that is not over, or `None`.

    Groups proceed one after another. A CLOSED or FAILED group is over when its calls in flight have reported. A
    suspended group without credit is skipped.
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
            # A warm-up may also check the model in the middle of the group's work. Then calls may be in flight.
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
    """Return the action that ends a group: release its model if it may be loaded and has to be unloaded, else close the
    group.

    After a pause, a group may be WAITING although its model is still loaded.
    """
    return SendRelease(group.id) if group.opened and group.releases else CloseGroup(group.id)
