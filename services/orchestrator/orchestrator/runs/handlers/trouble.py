"""Update a model group after a call failed or was answered: its back-off, checks of its model, its lack of credit."""

from uuid import UUID

from llmbench.contracts.run_words import GroupStatus
from orchestrator.kernel.domain.records import Group
from orchestrator.kernel.domain.transitions import GroupMoves
from orchestrator.runs.domain.retry import Backoff, LastHeard, Limits, SlowDown, TryAgain, WaitForCredit
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import RunRecords


def backoff_of(group: Group, work_id: UUID | None = None) -> Backoff:
    """Return the back-off state of the group for the decision about a failed call. `work_id` is the id of the item or
    score for which the call was made; null for a warm-up."""
    alone = group.new_count == 0 and group.in_flight_count == 1
    return Backoff(group.backoff_since, group.backoff_count, _last_heard(group, work_id), alone)


def _last_heard(group: Group, work_id: UUID | None) -> LastHeard:
    """Return whether the group's last report before this failed call was an answer, or a failure of the same or another
    request. `work_id` is the item or score of the call; null for a warm-up."""
    if group.suspect_id is None:
        return LastHeard.ANSWER
    return LastHeard.ITSELF if group.suspect_id == work_id else LastHeard.ANOTHER


def limits(ledger: Ledger[RunRecords]) -> Limits:
    return Limits(max_attempts=ledger.run.max_attempts, max_backoff_s=ledger.run.max_backoff_s)


def slow_down(ledger: Ledger[RunRecords], group: Group, decision: SlowDown, work_id: UUID | None = None) -> None:
    if work_id is not None:
        group.suspect_id = work_id
    if decision.check:
        recheck_model(group)
    if group.slow_down(until=decision.until, reason=decision.reason, now=ledger.now):
        seconds = max(0.0, (decision.until - ledger.now).total_seconds())
        ledger.note(f"backing off for {seconds:.1f} s: {decision.reason}", "warning", group)


def suspect(group: Group, decision: TryAgain, work_id: UUID) -> None:
    """Note in the group that the call of an item or score failed and will be repeated.

    `work_id` is the id of that item or score. With `decision.suspect`, store it in `group.suspect_id`, because the next
    decision depends on whether the same request fails again or another request fails. With `decision.check`, send the
    group back to its warm-up, which has to succeed before any further work.
    """
    if decision.suspect:
        group.suspect_id = work_id
    if decision.check:
        recheck_model(group)


def recheck_model(group: Group) -> None:
    """Send an open group back to its warm-up, which has to succeed before any further work. Does nothing for a group
    that calls no model."""
    if group.status == GroupStatus.OPEN and group.lane is not None:
        group.move(GroupMoves.CHECK)


def wait_for_model(ledger: Ledger[RunRecords], group: Group, decision: SlowDown) -> None:
    """Let the group repeat its failed warm-up after the decision's delay. Log the first failure."""
    first = group.backoff_since is None
    slow_down(ledger, group, decision)
    if first:
        ledger.note(
            f"waiting for {group.name()} for up to {ledger.run.max_backoff_s:g} s, until it answers a warm-up",
            "warning",
            group,
        )


def wait_for_credit(ledger: Ledger[RunRecords], group: Group, decision: WaitForCredit) -> None:
    """Record that the group lacks credit: it starts no further call until the user resumes the run. Calls in flight
    still report."""
    if group.out_of_credit_reason is None:
        group.out_of_credit_reason = decision.reason
        ledger.note(f"{group.name()} is out of credit and waits; other models go on: {decision.reason}", "error", group)


def record_warm_up(group: Group) -> bool:
    """Open the group for work, because its warm-up was answered. Return whether it was a later check of the model, and
    not the first warm-up."""
    was_check = group.suspect_id is not None
    if was_check:
        group.pass_check()
    else:
        group.recover()
    group.warm_up_attempts = 0
    group.move(GroupMoves.WARMED_UP)
    return was_check


def recover(group: Group) -> None:
    """End the group's back-off, because the call of an item or a score was answered. If a warm-up is due but not sent,
    this answer makes it unnecessary."""
    group.recover()
    if group.status == GroupStatus.WARMING_UP and not group.call_in_flight:
        group.move(GroupMoves.WARMED_UP)
