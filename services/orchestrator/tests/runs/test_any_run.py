"""Test the properties of any run under random order, failures, repeated and lost reports, pauses and time."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from run_model import Model
from run_work import LOCAL, Report

from llmbench.contracts.outcome import (
    Failure,
    Malformed,
    NotStarted,
    RateLimited,
    Refused,
    Rejected,
    TimedOut,
    Unavailable,
)
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunOutcome, RunPhase, RunStatus, TaskGateStatus
from orchestrator.runs.domain.advance import PREFETCH, outcome_of
from orchestrator.runs.domain.lanes import exclude, is_busy
from orchestrator.runs.domain.pace import MOST
from orchestrator.runs.domain.views import group_view

pytestmark = pytest.mark.never_rerun

FAILURES: tuple[Failure, ...] = (
    TimedOut(message="too slow"),
    Malformed(message="not JSON"),
    Refused(message="no"),
    Rejected(message="too long", http_status=400, cause="context_overflow"),
    RateLimited(message="slow down"),
    RateLimited(message="slow down", retry_after_s=5),
    RateLimited(message="no money", out_of_credit=True),
    Unavailable(message="connection refused"),
    Unavailable(message="loading", retry_after_s=1e9),
    Unavailable(message="overloaded", cause="busy"),
    Unavailable(message="500", cause="server_error"),
    NotStarted(),
)
FATAL = Rejected(message="wrong key", http_status=401, cause="unauthorized")
OUTCOMES = st.one_of(st.none(), st.none(), st.sampled_from(FAILURES), st.sampled_from((None, None, FATAL)))
ENDED = (GroupStatus.CLOSED, GroupStatus.FAILED)
WORKING = (GroupStatus.WARMING_UP, GroupStatus.OPEN, GroupStatus.RELEASING)


class AnyRun(RuleBasedStateMachine):
    model: Model

    @initialize(
        groups=st.lists(st.integers(0, 5), min_size=1, max_size=4),
        judges=st.integers(0, 2),
        concurrency=st.integers(1, 3),
        attempts=st.integers(1, 3),
        backoff_s=st.sampled_from((1.0, 60.0, 1800.0)),
        by_program=st.booleans(),
        turns=st.integers(1, 3),
        limited=st.booleans(),
        parallel_groups=st.sampled_from((1, 1, 2, 3)),
        providers=st.lists(st.integers(1, LOCAL + 3), min_size=1, max_size=5),
        gates=st.lists(st.booleans(), max_size=4),
    )
    def start(
        self,
        groups: list[int],
        judges: int,
        concurrency: int,
        attempts: int,
        backoff_s: float,
        by_program: bool,
        turns: int,
        limited: bool,
        parallel_groups: int,
        providers: list[int],
        gates: list[bool],
    ) -> None:
        self.model = Model(
            groups,
            judges if by_program else max(1, judges),
            concurrency=concurrency,
            attempts=attempts,
            backoff_s=backoff_s,
            by_program=by_program,
            turns=turns,
            limited=limited,
            parallel_groups=parallel_groups,
            providers=providers,
            # Only scores by programs can decide a gate.
            gates=gates if by_program else (),
        )
        self.model.lead()

    # Rules: what can happen to a run.

    @precondition(lambda self: self.model.calls)
    @rule(data=st.data(), outcome=OUTCOMES)
    def report(self, data: st.DataObject, outcome: Failure | None) -> None:
        self.model.report(data.draw(st.sampled_from(self.model.calls)), outcome)

    @precondition(lambda self: self._may_come_again())
    @rule(data=st.data())
    def report_comes_again(self, data: st.DataObject) -> None:
        before = self._works()
        self.model.deliver(data.draw(st.sampled_from(self._may_come_again())))
        assert self._works() == before, "a repeated report changes nothing"

    @precondition(lambda self: self.model.run.status == RunStatus.RUNNING and self._not_started())
    @rule(data=st.data())
    def not_started_comes_again(self, data: st.DataObject) -> None:
        """Deliver a "not started" report again, although its call may have been sent again meanwhile. The call may then
        be sent once more, but it is answered only once."""
        self.model.deliver(data.draw(st.sampled_from(self._not_started())))

    @precondition(lambda self: self.model.calls)
    @rule(data=st.data(), outcome=OUTCOMES)
    def command_delivered_twice_is_reported_twice(self, data: st.DataObject, outcome: Failure | None) -> None:
        """Deliver the report of a call two times, as the gateway does if it gets the call's command two times. The
        second report must change nothing."""
        call = data.draw(st.sampled_from(self.model.calls))
        self.model.report(call, outcome)
        if not isinstance(outcome, NotStarted):
            before = self._works()
            self.model.deliver(self.model.reports[-1])
            assert self._works() == before

    @precondition(lambda self: self.model.calls or self.model.lost)
    @rule()
    def all_messages_are_lost(self) -> None:
        """Lose the messages of every call in flight, as if the broker was restarted without its store. These calls get
        no report unless they are sent again."""
        self.model.lost += self.model.calls
        self.model.calls.clear()

    @precondition(lambda self: self.model.run.status in (RunStatus.RUNNING, RunStatus.PAUSING, RunStatus.PAUSED))
    @rule(chance=st.integers(0, 9))
    def cancel(self, chance: int) -> None:
        """Cancel the run if `chance`, a random number from 0 to 9, is 0. This is rare, because it ends the run."""
        if chance == 0:
            self.model.cancel()

    @precondition(lambda self: self.model.calls)
    @rule(data=st.data())
    def command_or_report_is_lost(self, data: st.DataObject) -> None:
        call = data.draw(st.sampled_from(self.model.calls))
        self.model.calls.remove(call)
        self.model.lost.append(call)

    @precondition(lambda self: self.model.lost)
    @rule()
    def reconcile(self) -> None:
        self.model.send_again()

    @precondition(lambda self: self.model.run.status == RunStatus.RUNNING)
    @rule()
    def pause(self) -> None:
        self.model.pause()

    @precondition(lambda self: self.model.run.status == RunStatus.PAUSED)
    @rule()
    def resume(self) -> None:
        self.model.resume()

    @precondition(lambda self: self.model.run.outcome in (RunOutcome.PARTIAL, RunOutcome.FAILED))
    @rule()
    def try_again(self) -> None:
        self.model.retry_failed()

    @rule(seconds=st.sampled_from((0.0, 0.4, 3.0, 90.0, 4000.0)))
    def time_passes(self, seconds: float) -> None:
        self.model.pass_time(seconds)

    @rule(prefetch=st.integers(PREFETCH, MOST))
    def answers_come_at_another_pace(self, prefetch: int) -> None:
        """Change the prefetch, as a changed pace of answers does. The run may then send more commands."""
        self.model.prefetch = prefetch
        self.model.lead()

    # Invariants.

    @invariant()
    def no_more_groups_are_busy_than_may_be(self) -> None:
        model = self.model
        busy = [group for group in model.all_groups() if model.busy(group)]
        busy += [model.group_of(call) for call in (*model.calls, *model.lost)]
        # A group of programs that decide gates does not count towards `parallel_groups`.
        gated = model.run.phase == RunPhase.BENCHMARKING and model.gates
        assert len({group.id for group in busy if group.lane or not gated}) <= model.run.parallel_groups

    @invariant()
    def groups_of_one_provider_and_local_groups_are_at_work_one_at_a_time(self) -> None:
        model = self.model
        at_work = [
            group.lane.provider.provider_id.int
            for group in model.all_groups()
            if group.lane is not None and (model.busy(group) or group.status in WORKING)
        ]
        assert len(set(at_work)) == len(at_work)
        assert sum(provider <= LOCAL for provider in at_work) <= 1

    @invariant()
    def free_places_are_taken_by_every_group_that_may_work(self) -> None:
        """Check that a group with work waits only for one of three reasons. `parallel_groups` groups are at work,
        its provider's account has no credit, or a group at work has the same provider or is local like this one."""
        model = self.model
        if model.run.status != RunStatus.RUNNING:
            return
        of_phase = [group_view(group) for group in model.all_groups() if group.phase == model.run.phase]
        at_work = [view for view in of_phase if view.status in WORKING or is_busy(view)]
        for view in of_phase:
            if view.status == GroupStatus.WAITING and view.new and not view.out_of_credit:
                full = len(at_work) >= model.run.parallel_groups
                assert full or any(exclude(view, other) for other in at_work)

    @invariant()
    def the_window_is_never_exceeded(self) -> None:
        for group in self.model.all_groups():
            in_flight = sum(work.in_flight() for work in self.model.work_of(group))
            assert in_flight <= group.concurrency + MOST
            assert not (in_flight and group.call_in_flight), "no work beside a warm-up or a release"

    @invariant()
    def judging_begins_when_benchmarking_is_over(self) -> None:
        model = self.model
        if model.run.phase == RunPhase.JUDGING:
            assert all(group.status in ENDED and not model.busy(group) for group in model.groups)
            assert not any(item.is_new() or item.in_flight() for item in model.items)
        else:
            judges = [judge for judge in model.judges if judge.lane or not model.gates]
            assert not any(map(model.busy, judges))
            assert all(group.status == GroupStatus.WAITING or group.status in ENDED for group in judges)

    @invariant()
    def a_turn_is_asked_when_the_one_before_is_answered(self) -> None:
        for item in self.model.items:
            assert item.is_next() or not (item.in_flight() or item.answered)

    @invariant()
    def what_a_gate_holds_is_asked_when_it_passes_and_skipped_when_it_fails(self) -> None:
        for gate in self.model.gates:
            states = {item.item_status for item in gate.held}
            if gate.status == TaskGateStatus.OPEN:
                assert states <= {ItemStatus.NEW, ItemStatus.FAILED}
            elif gate.status == TaskGateStatus.FAILED:
                assert states <= {ItemStatus.SKIPPED, ItemStatus.FAILED}
            else:
                assert ItemStatus.SKIPPED not in states
            if gate.status != TaskGateStatus.PASSED:
                assert not any(item.answered for item in gate.held)

    @invariant()
    def a_paused_run_is_quiet(self) -> None:
        model = self.model
        if model.run.status == RunStatus.PAUSED:
            assert not model.calls
            assert not model.lost
            assert not any(map(model.busy, model.all_groups()))

    @invariant()
    def a_cancelled_run_has_no_calls(self) -> None:
        if self.model.run.status == RunStatus.CANCELLED:
            assert self.model.next_action() is None
            assert self.model.wake_at is None

    @invariant()
    def a_run_is_never_stuck(self) -> None:
        """Check that a running run always waits for something: a report, or a point in time."""
        model = self.model
        if still_running(model):
            assert model.calls or model.lost or model.wake_at is not None

    @invariant()
    def attempts_are_never_exceeded_and_work_ends_once(self) -> None:
        for work in (*self.model.items, *self.model.scores):
            assert work.attempts <= self.model.run.max_attempts
            assert work.ends <= 1

    @invariant()
    def loaded_models_are_released(self) -> None:
        for group in self.model.all_groups():
            if group.status == GroupStatus.CLOSED and group.opened_at is not None and group.releases:
                assert group.id in self.model.released

    @invariant()
    def groups_without_a_model_have_no_calls_of_their_own(self) -> None:
        """A group without a model has neither a warm-up call nor a call that unloads the model (release)."""
        for group in self.model.all_groups():
            if group.lane is None:
                assert not group.call_in_flight
                assert group.dispatch == 0
                assert group.status not in (GroupStatus.WARMING_UP, GroupStatus.RELEASING)

    @invariant()
    def advancing_again_changes_nothing(self) -> None:
        """Check that advancing the run again at the same time changes nothing."""
        before = (self._works(), list(self.model.calls), self.model.run.status, self.model.wake_at)
        self.model.lead()
        assert (self._works(), list(self.model.calls), self.model.run.status, self.model.wake_at) == before

    def teardown(self) -> None:
        """Deliver an outcome for every call in flight. Check that the run finishes, and that every item and score has
        ended exactly once. A cancelled run is not checked further."""
        if not hasattr(self, "model") or self.model.run.status == RunStatus.CANCELLED:
            return
        model = self.model
        for _ in range(2000):
            if over(model):
                break
            if model.run.status == RunStatus.PAUSED:
                model.resume()
            model.send_again()
            if model.calls:
                model.report(model.calls[0], None)
            elif model.wake_at is not None:
                model.pass_time(max(0.0, (model.wake_at - model.now).total_seconds()))
            for check in (
                self.no_more_groups_are_busy_than_may_be,
                self.groups_of_one_provider_and_local_groups_are_at_work_one_at_a_time,
                self.a_run_is_never_stuck,
                self.loaded_models_are_released,
            ):
                check()
        assert model.run.status == RunStatus.FINISHED
        assert [item.ends for item in model.items] == [1] * len(model.items)
        assert all(score.ends == 1 for score in model.scores)
        completed = sum(item.item_status == ItemStatus.COMPLETED for item in model.items)
        skipped = sum(item.item_status == ItemStatus.SKIPPED for item in model.items)
        assert model.run.outcome == outcome_of(items=len(model.items) - skipped, completed=completed)
        assert all(gate.status != TaskGateStatus.OPEN for gate in model.gates)
        assert not model.calls
        assert all(group.status in ENDED for group in model.all_groups())

    def _may_come_again(self) -> list[Report]:
        # `NotStarted` frees its dispatch number for the next call, so a repeated report cannot be recognised.
        return [report for report in self.model.reports if not isinstance(report.failure, NotStarted)]

    def _not_started(self) -> list[Report]:
        return [report for report in self.model.reports if isinstance(report.failure, NotStarted)]

    def _works(self) -> list[tuple[object, ...]]:
        return [
            (work.item_status, work.score_status, work.dispatch, work.attempts)
            for work in (*self.model.items, *self.model.scores)
        ]


def over(model: Model) -> bool:
    return model.run.status in (RunStatus.FINISHED, RunStatus.CANCELLED)


def still_running(model: Model) -> bool:
    return model.run.status == RunStatus.RUNNING


TestAnyRun = AnyRun.TestCase
TestAnyRun.settings = settings(max_examples=120, stateful_step_count=50, deadline=None)
