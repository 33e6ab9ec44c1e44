"""Apply the effects of a failed call to its group. The call is that of an item or a score, or a warm-up."""

from uuid import UUID

from llmbench.contracts.run_words import GroupStatus
from orchestrator.kernel.domain.records import Group
from orchestrator.kernel.domain.transitions import GroupMoves
from orchestrator.runs.domain.retry import Backoff, LastHeard, Limits, SlowDown, TryAgain, WaitForCredit
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import RunRecords


def backoff_of(group: Group, work_id: UUID | None = None) -> Backoff:
    """Return the back-off state of the group after a failed call of this item or score, or of a warm-up (`work_id` is
    null)."""
    alone = group.new_count == 0 and group.in_flight_count == 1
    return Backoff(group.backoff_since, group.backoff_count, _last_heard(group, work_id), alone)


def _last_heard(group: Group, work_id: UUID | None) -> LastHeard:
    """Return the group's last report before this item's or score's call failed. `work_id` is null for a warm-up."""
    if group.suspect_id is None:
        return LastHeard.ANSWER
    return LastHeard.ITSELF if group.suspect_id == work_id else LastHeard.ANOTHER


def limits(ledger: Ledger[RunRecords]) -> Limits:
    return Limits(max_attempts=ledger.run.max_attempts, max_backoff_s=ledger.run.max_backoff_s)


def slow_down(ledger: Ledger[RunRecords], group: Group, decision: SlowDown, work_id: UUID | None = None) -> None:
    if work_id is not None:
        group.suspect_id = work_id
    if decision.check:
        check_model(group)
    if group.slow_down(until=decision.until, reason=decision.reason, now=ledger.now):
        seconds = max(0.0, (decision.until - ledger.now).total_seconds())
        ledger.note(f"backing off for {seconds:.1f} s: {decision.reason}", "warning", group)


def suspect(group: Group, decision: TryAgain, work_id: UUID) -> None:
    """Remember the item or score whose call failed, if the provider may be at fault. Request a warm-up if the decision
    does."""
    if decision.suspect:
        group.suspect_id = work_id
    if decision.check:
        check_model(group)


def check_model(group: Group) -> None:
    """Let the group send a warm-up before any further work. A group without a model needs none."""
    if group.status == GroupStatus.OPEN and group.lane is not None:
        group.move(GroupMoves.CHECK)


def wait_for_model(ledger: Ledger[RunRecords], group: Group, decision: SlowDown) -> None:
    """Send the warm-up, which has failed, again after a delay."""
    first = group.backoff_since is None
    slow_down(ledger, group, decision)
    if first:
        ledger.note(
            f"waiting for {group.name()} for up to {ledger.run.max_backoff_s:g} s, until it answers a warm-up",
            "warning",
            group,
        )


def wait_for_credit(ledger: Ledger[RunRecords], group: Group, decision: WaitForCredit) -> None:
    """Suspend the group's work until the user resumes the run; calls in flight still report."""
    if group.out_of_credit_reason is None:
        group.out_of_credit_reason = decision.reason
        ledger.note(f"{group.name()} is out of credit and waits; other models go on: {decision.reason}", "error", group)


def be_warm(group: Group) -> None:
    """Record that a warm-up was answered, either the first one or a later check."""
    if group.suspect_id is None:
        group.recover()
    else:
        group.pass_check()
    group.warm_up_attempts = 0
    group.move(GroupMoves.WARMED_UP)


def recover(group: Group) -> None:
    """Record that an item's or a score's call was answered. If a check is due, the answer replaces it."""
    group.recover()
    if group.status == GroupStatus.WARMING_UP and not group.call_in_flight:
        group.move(GroupMoves.WARMED_UP)
