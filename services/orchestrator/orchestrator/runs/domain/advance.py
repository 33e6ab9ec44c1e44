"""Decide the next action of a run from its state and that of its model groups.

`advance` is pure: it repeats an action until the state shows the action's effect, and never requests work that is in
progress. The module `lanes` decides which groups are at work.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from llmbench.contracts.run_words import GroupStatus, RunOutcome, RunPhase, RunStatus
from orchestrator.runs.domain.lanes import ENDED, GroupView, groups_at_work, is_busy, lacks_credit

PREFETCH = 2
"""The minimum prefetch: the number of commands sent to the gateway beyond the group's concurrency, so that the gateway
never runs out of work. `Pace` computes a larger prefetch when calls are quick."""
PREFETCH_SHARE = 4
"""The prefetch is at least the group's concurrency divided by this number, because about as many finished calls may
wait until their reports are applied together (see `is_batch_due`)."""


@dataclass(frozen=True)
class RunView:
    """The part of a run's state that `advance` needs. `items` is the number of items that were not skipped.
    `has_open_gates` is true if gates between tasks of the run's suite are not decided yet."""

    status: RunStatus
    phase: RunPhase
    items: int
    completed: int
    groups: Sequence[GroupView]
    prefetch: int = PREFETCH
    parallel_groups: int = 1
    has_open_gates: bool = False

    def at_work(self) -> list[GroupView]:
        """Return the model groups of the current phase that may work now (see `groups_at_work`).

        While gates between tasks of the suite are undecided, scores are needed early to decide them. So the group of
        scores that call no model works during BENCHMARKING, too. It does not count towards `parallel_groups`.
        """
        of_phase = [group for group in self.groups if group.phase == self.phase]
        return groups_at_work(of_phase, most=self.parallel_groups) + self._deciding_gates()

    def _deciding_gates(self) -> list[GroupView]:
        if not self.has_open_gates or self.phase != RunPhase.BENCHMARKING:
            return []
        by_program = [group for group in self.groups if group.phase == RunPhase.JUDGING and group.provider_id is None]
        return [group for group in by_program if group.status not in ENDED and (group.new or group.in_flight)]


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
    """Do nothing for the group until the time `at`, because none of its work is due earlier."""

    group_id: UUID
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


def advance(run: RunView, now: datetime, served: Set[UUID] = frozenset()) -> Action | None:
    """Return the next action. Return `None` if the run waits for a report, or is neither RUNNING nor PAUSING.

    `served` are the ids of groups that can do nothing more at this time. They get no action, but still count as groups
    at work, so that no other group takes their turn.
    """
    if run.status == RunStatus.PAUSING:
        return None if any(is_busy(group) for group in run.groups) else Settle()
    if run.status != RunStatus.RUNNING:
        return None
    at_work = run.at_work()
    if at_work:
        actions = (_advance_group(group, run.prefetch, now) for group in at_work if group.id not in served)
        return next((action for action in actions if action is not None), None)
    if any(group.phase == run.phase and group.status not in ENDED for group in run.groups):
        return PauseForCredit()
    if run.phase == RunPhase.BENCHMARKING:
        return EnterJudging()
    return Finish(outcome_of(items=run.items, completed=run.completed))


def outcome_of(*, items: int, completed: int) -> RunOutcome:
    if completed == items:
        return RunOutcome.COMPLETE
    return RunOutcome.PARTIAL if completed else RunOutcome.FAILED


def _advance_group(group: GroupView, prefetch: int, now: datetime) -> Action | None:
    waits_until = group.backoff_until if group.backoff_until is not None and group.backoff_until > now else None
    if lacks_credit(group) and group.status in (GroupStatus.WARMING_UP, GroupStatus.OPEN):
        return None if is_busy(group) else SuspendGroup(group.id)
    match group.status:
        case GroupStatus.WAITING:
            # Do not load a model for a group without work.
            if not group.new:
                return _end(group)
            return WakeAt(group.id, waits_until) if waits_until else OpenGroup(group.id)
        case GroupStatus.WARMING_UP:
            # A warm-up may also check the model in the middle of the group's work. Then calls may be in flight.
            if is_busy(group):
                return None
            return WakeAt(group.id, waits_until) if waits_until else SendWarmUp(group.id)
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
        return WakeAt(group.id, waits_until)
    room = group.concurrency + max(prefetch, group.concurrency // PREFETCH_SHARE) - group.in_flight
    count = min(room, group.new)
    return Dispatch(group.id, count) if count > 0 else None


def _end(group: GroupView) -> Action:
    """Return the action that ends a group: release its model if it may be loaded and has to be unloaded, else close the
    group.

    After a pause, a group may be WAITING although its model is still loaded.
    """
    return SendRelease(group.id) if group.opened and group.releases else CloseGroup(group.id)
