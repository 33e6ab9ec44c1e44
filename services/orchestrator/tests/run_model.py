"""An in-memory model of a run. It uses the real transition tables and the real function `advance`, which returns a
run's next action. A test controls the calls and the reports about them.

`Model` carries out the actions of `advance` in a minimal way. Reports may come in any order, twice, or only after the
command was sent again.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from run_model_state import ModelState
from run_records import NOW
from run_work import LOCAL, Call, Report, Work

from llmbench.contracts.outcome import Failure, NotStarted
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase, RunStatus, ScoreStatus, TaskGateStatus
from orchestrator.kernel.domain.overall import WeightedScore, next_move
from orchestrator.kernel.domain.records import Group
from orchestrator.kernel.domain.transitions import (
    ITEM,
    SCORE,
    GroupMoves,
    ItemMoves,
    RunMoves,
    ScoreMoves,
    TaskGateMoves,
    after,
)
from orchestrator.runs.domain import retry
from orchestrator.runs.domain.advance import (
    Action,
    CloseGroup,
    Dispatch,
    EnterJudging,
    Finish,
    OpenGroup,
    PauseForCredit,
    RunView,
    SendRelease,
    SendWarmUp,
    Settle,
    SuspendGroup,
    WakeAt,
    advance,
)
from orchestrator.runs.domain.local_host import LOOPBACK
from orchestrator.runs.domain.views import run_view
from orchestrator.runs.handlers.trouble import backoff_of, recheck_model, record_warm_up, recover, suspect

JITTER = 0.5


class Model(ModelState):
    """A run in memory that advances after each change. The creator has to call `lead` once, which starts it."""

    # Methods that simulate users, messages and the passing of time.

    def report(self, call: Call, failure: Failure | None) -> None:
        self.calls.remove(call)
        self.reports.append(Report(call, failure))
        self.deliver(self.reports[-1])

    def deliver(self, report: Report) -> None:
        group = next((group for group in self.all_groups() if group.id == report.call.owner), None)
        if group is not None:
            self._take_group_report(group, report)
        else:
            work = next(work for work in (*self.items, *self.scores) if work.id == report.call.owner)
            self._take_work_report(work, report)
        self.lead()

    def pause(self) -> None:
        self.run.move(RunMoves.PAUSE)
        self.lead()

    def resume(self) -> None:
        self.run.move(RunMoves.RESUME)
        for group in self.all_groups():
            group.forget_trouble()
        self.lead()

    def cancel(self) -> None:
        """Cancel the run. Its calls in flight are dropped: `report` is never called for them."""
        self.run.move(RunMoves.CANCEL)
        self.calls.clear()
        self.lost.clear()
        self.lead()

    def retry_failed(self) -> None:
        """Reopen the run and repeat what failed, like `orchestrator.runs.handlers.try_again`."""
        failed = [item for item in self.items if item.item_status == ItemStatus.FAILED]
        of_failed = [score for score in self.scores if score.of in failed]
        unanswered = [item for item in failed if item not in [score.of for score in of_failed]]
        for item in failed:
            item.item_status = after(
                ITEM, item.item_status, ItemMoves.ANSWER_AGAIN if item in unanswered else ItemMoves.JUDGE_AGAIN
            )
        for score in of_failed:
            if score.score_status == ScoreStatus.FAILED:
                score.score_status = after(SCORE, score.score_status, ScoreMoves.AGAIN)
                score.ends -= 1
        for work in (*unanswered, *(score for score in of_failed if score.is_new())):
            work.attempts, work.due = 0, None
            self._reopen(work.group)
        for item in failed:
            item.ends -= 1
        reopened = [
            gate
            for gate in self.gates
            if gate.status == TaskGateStatus.FAILED and any(item in failed for item in gate.gating)
        ]
        for gate in reopened:
            gate.move(TaskGateMoves.REOPEN)
            for item in gate.held:
                if item.item_status == ItemStatus.SKIPPED:
                    item.move(ItemMoves.ASK_AFTER_ALL)
                    item.ends -= 1
                    self._reopen(item.group)
        self.run.move(RunMoves.REOPEN)
        self.run.outcome = None
        self.run.phase = RunPhase.BENCHMARKING if unanswered or reopened else RunPhase.JUDGING
        self.lead()

    def send_again(self) -> None:
        self.calls += self.lost
        self.lost.clear()

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.lead()

    # The following methods lead the run as `orchestrator.runs.handlers.lead` does.

    def lead(self) -> None:
        self.wake_at = None
        if self.run.status == RunStatus.CANCELLED:
            return
        self._fail_leftovers()
        self._follow_gates()
        self.served = set()
        for _ in range(100):
            action = self.next_action()
            if action is None:
                return
            if (waiting := self._act(action)) is not None:
                self.served.add(waiting)
        raise AssertionError("advance goes round in circles")

    def next_action(self) -> Action | None:
        for group in self.all_groups():
            group.new_count = sum(work.is_new() for work in self.work_of(group))
            group.in_flight_count = sum(work.in_flight() for work in self.work_of(group))
        self.run.skipped_count = sum(item.item_status == ItemStatus.SKIPPED for item in self.items)
        self.run.open_task_gates = sum(gate.status == TaskGateStatus.OPEN for gate in self.gates)
        self.run.judged_count = sum(item.item_status == ItemStatus.COMPLETED for item in self.items)
        return advance(self._view(), self.now, self.served)

    def _view(self) -> RunView:
        return run_view(self.run, self.all_groups(), self.prefetch)

    def _open(self, group: Group) -> None:
        is_local = group.lane is not None and group.lane.provider.provider_id.int <= LOCAL
        group.local_host = LOOPBACK if is_local else None
        if any(view.id == group.id for view in self._view().at_work()):
            group.open(self.now)

    def _wake(self, at: datetime | None) -> None:
        if at is not None:
            self.wake_at = at if self.wake_at is None else min(self.wake_at, at)

    def _act(self, action: Action) -> UUID | None:
        groups = {group.id: group for group in self.all_groups()}
        match action:
            case OpenGroup(id_):
                self._open(groups[id_])
            case SendWarmUp(id_):
                self._call_for_group(groups[id_])
            case SendRelease(id_):
                groups[id_].move(GroupMoves.DRAIN)
                self.released.add(id_)
                self._call_for_group(groups[id_])
            case CloseGroup(id_):
                groups[id_].move(GroupMoves.CLOSE)
            case Dispatch(id_, count):
                self._dispatch(groups[id_], count)
                return id_
            case SuspendGroup(id_):
                groups[id_].move(GroupMoves.SUSPEND)
            case PauseForCredit():
                self.run.move(RunMoves.PAUSE)
            case EnterJudging():
                self.run.phase = RunPhase.JUDGING
                self._create_scores()
            case Settle():
                self.run.move(RunMoves.SETTLE)
                for group in self.all_groups():
                    if group.status in (GroupStatus.WARMING_UP, GroupStatus.OPEN):
                        group.move(GroupMoves.SUSPEND)
            case Finish(outcome):
                self.run.move(RunMoves.FINISH)
                self.run.outcome = outcome
            case WakeAt(id_, at):
                assert at > self.now
                self._wake(at)
                return id_
        return None

    def _follow_gates(self) -> None:
        """Decide the gates whose scores are all known, like `orchestrator.runs.handlers.task_gates`."""
        for gate in self.gates:
            if gate.status != TaskGateStatus.OPEN:
                continue
            self._create_scores(gate.gating)
            to_ask = any(item.is_new() or item.in_flight() for item in gate.gating)
            scores = [score for score in self.scores if score.of in gate.gating and score.group.lane is None]
            if to_ask or any(score.is_new() or score.in_flight() for score in scores):
                continue
            if gate.opens and any(score.score_status == ScoreStatus.SCORED for score in scores):
                gate.move(TaskGateMoves.PASS)
                continue
            gate.move(TaskGateMoves.FAIL)
            for item in gate.held:
                if item.is_new():
                    item.move(ItemMoves.SKIP)

    def _create_scores(self, items: Sequence[Work] | None = None) -> None:
        chosen = self.items if items is None else items
        answered = [item for item in chosen if item.item_status == ItemStatus.WAITING_FOR_JUDGE]
        judged = [score.of for score in self.scores]
        new = [
            Work(judge, of=item)
            for place, judge in enumerate(self.judges)
            for item in answered
            if item not in judged and self._is_asked(place, item)
        ]
        self.scores += new
        for score in new:
            self._reopen(score.group)

    def _is_asked(self, place: int, item: Work) -> bool:
        every = not self.limited or len(self.judges) == 1
        return every or (self.items.index(item) + place) % 2 == 0

    def _reopen(self, group: Group) -> None:
        group.reopen()
        if group.opened_at is None:
            self.released.discard(group.id)

    def _call_for_group(self, group: Group) -> None:
        group.dispatch += 1
        group.call_in_flight = True
        self._send(Call(group.id, group.dispatch))

    def _dispatch(self, group: Group, count: int) -> None:
        new = [work for work in self.work_of(group) if work.is_new()]
        new.sort(key=lambda work: work.due or NOW)
        claimed = [work for work in new if work.is_next() and (work.due is None or work.due <= self.now)][:count]
        for work in claimed:
            work.move(ItemMoves.CLAIM, ScoreMoves.CLAIM)
            work.dispatch += 1
            self._send(Call(work.id, work.dispatch))
            self._settle_item(work)
        if len(claimed) < count:
            waits = [work.due for work in new if work.is_new() and work.due is not None]
            self._wake(min(waits, default=None))
        if not claimed:
            assert self.next_action() == Dispatch(group.id, count), "what changed nothing is asked for again"

    def _send(self, call: Call) -> None:
        # A `NotStarted` report frees the dispatch number, so the repeated call equals the first. Only one of them is
        # pending.
        if call in self.lost:
            self.lost.remove(call)
        if call not in self.calls:
            self.calls.append(call)

    # The following methods apply reports as `apply_calls` and `apply_verdicts` do.

    def _take_group_report(self, group: Group, report: Report) -> None:
        if not group.call_in_flight or report.call.dispatch != group.dispatch:
            return
        group.call_in_flight = False
        if group.status == GroupStatus.RELEASING:
            return
        if report.failure is None:
            record_warm_up(group)
            return
        group.warm_up_attempts += not isinstance(report.failure, NotStarted)
        match self._decide(report.failure, group, None, group.warm_up_attempts):
            case retry.TakeBack():
                group.dispatch -= 1
            case retry.SlowDown(until, reason):
                group.slow_down(until=until, reason=reason, now=self.now)
            case retry.GoOn():
                record_warm_up(group)
            case retry.WaitForCredit(reason):
                group.out_of_credit_reason = reason
            case retry.FailGroup():
                group.move(GroupMoves.GIVE_UP)
            case decision:
                raise AssertionError(f"no answer to a failed warm-up: {decision}")

    def _take_work_report(self, work: Work, report: Report) -> None:
        if report.failure is None:
            if work.takes_success():
                work.attempts += work.in_flight()
                work.move(ItemMoves.ANSWER, ScoreMoves.VERDICT)
                work.answered = True
                recover(work.group)
                self._settle_item(work)
            return
        if not work.in_flight() or report.call.dispatch != work.dispatch:
            return
        match self._decide(report.failure, work.group, work, work.attempts + 1):
            case retry.TakeBack():
                work.dispatch -= 1
                work.move(ItemMoves.TAKE_BACK, ScoreMoves.TAKE_BACK)
            case retry.SlowDown(until, reason, check):
                work.group.suspect_id = work.id
                if check:
                    work.due = until
                    recheck_model(work.group)
                work.group.slow_down(until=until, reason=reason, now=self.now)
                work.move(ItemMoves.RETRY, ScoreMoves.RETRY)
            case retry.WaitForCredit(reason):
                work.group.out_of_credit_reason = reason
                work.move(ItemMoves.RETRY, ScoreMoves.RETRY)
            case retry.TryAgain() as decision:
                suspect(work.group, decision, work.id)
                work.attempts += 1
                work.due = decision.at
                work.move(ItemMoves.RETRY, ScoreMoves.RETRY)
            case retry.FailOne():
                work.attempts += 1
                work.move(ItemMoves.GIVE_UP, ScoreMoves.GIVE_UP)
            case retry.FailGroup():
                work.move(ItemMoves.GIVE_UP, ScoreMoves.GIVE_UP)
                if work.group.status != GroupStatus.FAILED:
                    work.group.move(GroupMoves.GIVE_UP)
            case decision:
                raise AssertionError(f"no answer to a failed call: {decision}")
        self._settle_item(work)

    def _decide(self, failure: Failure, group: Group, work: Work | None, attempts: int) -> retry.Decision | retry.GoOn:
        limits = retry.Limits(self.run.max_attempts, self.run.max_backoff_s)
        told: dict[str, Any] = {"attempts": attempts, "limits": limits, "now": self.now, "jitter": JITTER}
        told["backoff"] = backoff_of(group, work.id if work else None)
        if work is None:
            return retry.decide_warm_up(failure, **told)
        return retry.decide(failure, failed_before=work.due is not None, **told)

    def _fail_leftovers(self) -> None:
        for work in self.items:
            before = work.previous
            if work.is_new() and before and before.item_status == ItemStatus.FAILED and not before.answered:
                work.move(ItemMoves.GIVE_UP)
        for group in self.all_groups():
            if group.status == GroupStatus.FAILED:
                for work in self.work_of(group):
                    if work.is_new():
                        work.move(ItemMoves.GIVE_UP, ScoreMoves.GIVE_UP)
                        self._settle_item(work)

    def _settle_item(self, score: Work) -> None:
        item = score.of
        if item is None:
            return
        of_item = [
            # Each judging group stands for a different evaluator, so its score has its own slot.
            WeightedScore(
                id=other.id,
                status=other.score_status,
                weight=1,
                required=True,
                revision_id=other.group.id,
                slot=str(other.group.id),
            )
            for other in self.scores
            if other.of is item
        ]
        move = next_move(item.item_status, of_item)
        if move is not None:
            item.move(move)
