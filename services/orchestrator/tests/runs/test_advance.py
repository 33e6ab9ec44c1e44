"""Test single decisions of the function `advance`, which returns a run's next action. `test_any_run` tests properties
that hold for every run.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from run_records import NOW

from llmbench.contracts.run_words import GroupStatus, RunOutcome, RunPhase, RunStatus
from orchestrator.runs.domain.advance import (
    PREFETCH,
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
    outcome_of,
)
from orchestrator.runs.domain.lanes import GroupView

FIRST, SECOND = UUID(int=1), UUID(int=2)
LATER = NOW + timedelta(seconds=10)


def group(status: GroupStatus, **changes: Any) -> GroupView:
    """Return a benchmarking group without work, at position 0, with these changes."""
    facts: dict[str, Any] = {
        "id": FIRST,
        "phase": RunPhase.BENCHMARKING,
        "position": 0,
        "status": status,
        "concurrency": 1,
        "new": 0,
        "in_flight": 0,
        "opened": status not in (GroupStatus.WAITING,),
        "releases": True,
        "call_in_flight": False,
        "backoff_until": None,
    }
    return GroupView(**(facts | changes))


def run(*groups: GroupView, **changes: Any) -> RunView:
    """Return a running run of four items in the phase BENCHMARKING, with these changes."""
    facts: dict[str, Any] = {
        "status": RunStatus.RUNNING,
        "phase": RunPhase.BENCHMARKING,
        "items": 4,
        "completed": 0,
        "groups": groups,
    }
    return RunView(**(facts | changes))


@pytest.mark.parametrize(
    ("view", "action"),
    [
        pytest.param(group(GroupStatus.WAITING, new=3), OpenGroup(FIRST), id="work opens a group"),
        pytest.param(group(GroupStatus.WAITING), CloseGroup(FIRST), id="no work, no loading"),
        pytest.param(
            group(GroupStatus.WAITING, opened=True), SendRelease(FIRST), id="suspended with all answers in: released"
        ),
        pytest.param(
            group(GroupStatus.WAITING, opened=True, releases=False),
            CloseGroup(FIRST),
            id="suspended, but the judge needs it",
        ),
        pytest.param(group(GroupStatus.WAITING, new=1, opened=True), OpenGroup(FIRST), id="resumed: warmed up again"),
        pytest.param(
            group(GroupStatus.WAITING, new=3, backoff_until=LATER), WakeAt(FIRST, LATER), id="its machine is busy: wait"
        ),
        pytest.param(group(GroupStatus.WAITING, backoff_until=LATER), CloseGroup(FIRST), id="no work to wait for"),
        pytest.param(group(GroupStatus.WARMING_UP, new=3), SendWarmUp(FIRST), id="warm-up"),
        pytest.param(group(GroupStatus.WARMING_UP, new=3, call_in_flight=True), None, id="warm-up under way"),
        pytest.param(
            group(GroupStatus.WARMING_UP, new=3, backoff_until=LATER), WakeAt(FIRST, LATER), id="warm-up failed: wait"
        ),
        pytest.param(
            group(GroupStatus.WARMING_UP, new=3, backoff_until=NOW), SendWarmUp(FIRST), id="warm-up: waited enough"
        ),
        pytest.param(group(GroupStatus.OPEN, new=9), Dispatch(FIRST, 1 + PREFETCH), id="a window, not a flood"),
        pytest.param(group(GroupStatus.OPEN, new=2), Dispatch(FIRST, 2), id="no more than there is"),
        pytest.param(group(GroupStatus.OPEN, new=9, in_flight=2), Dispatch(FIRST, PREFETCH - 1), id="fills up"),
        pytest.param(group(GroupStatus.OPEN, new=9, in_flight=1 + PREFETCH), None, id="window full"),
        pytest.param(
            group(GroupStatus.OPEN, new=99, concurrency=8, in_flight=2), Dispatch(FIRST, 6 + PREFETCH), id="wide window"
        ),
        pytest.param(
            group(GroupStatus.OPEN, new=9, in_flight=99), None, id="more in flight than the window: wait, not negative"
        ),
        pytest.param(group(GroupStatus.OPEN, in_flight=1), None, id="the last one is in flight"),
        pytest.param(group(GroupStatus.OPEN), SendRelease(FIRST), id="done: release"),
        pytest.param(group(GroupStatus.OPEN, releases=False), CloseGroup(FIRST), id="done, but the judge needs it"),
        pytest.param(group(GroupStatus.OPEN, backoff_until=LATER), SendRelease(FIRST), id="done: nothing to wait for"),
        pytest.param(group(GroupStatus.OPEN, new=9, backoff_until=LATER), WakeAt(FIRST, LATER), id="slowed down"),
        pytest.param(
            group(GroupStatus.OPEN, new=9, in_flight=1, backoff_until=LATER),
            WakeAt(FIRST, LATER),
            id="slowed down, one left",
        ),
        pytest.param(
            group(GroupStatus.OPEN, new=9, backoff_until=NOW), Dispatch(FIRST, 1 + PREFETCH), id="waited enough"
        ),
        pytest.param(group(GroupStatus.RELEASING, call_in_flight=True), None, id="release under way"),
        pytest.param(group(GroupStatus.RELEASING), CloseGroup(FIRST), id="released: close"),
        pytest.param(group(GroupStatus.FAILED, in_flight=1), None, id="failed, but a call is still out"),
        pytest.param(group(GroupStatus.FAILED, call_in_flight=True), None, id="failed, its own call still out"),
        pytest.param(group(GroupStatus.FAILED), EnterJudging(), id="failed: on to the judging"),
        pytest.param(group(GroupStatus.CLOSED), EnterJudging(), id="closed: on to the judging"),
    ],
)
def test_next_action_of_a_group(view: GroupView, action: Action | None) -> None:
    assert advance(run(view), NOW) == action


def test_number_of_dispatched_items_follows_the_prefetch() -> None:
    assert advance(run(group(GroupStatus.OPEN, new=99, in_flight=3), prefetch=16), NOW) == Dispatch(FIRST, 14)


BROKE = {"out_of_credit": True, "new": 1}
NEXT = group(GroupStatus.WAITING, new=1, id=SECOND, position=1)


@pytest.mark.parametrize(
    ("groups", "action"),
    [
        pytest.param((group(GroupStatus.OPEN, in_flight=1, **BROKE), NEXT), None, id="its calls in flight report"),
        pytest.param((group(GroupStatus.OPEN, **BROKE), NEXT), SuspendGroup(FIRST), id="suspended"),
        pytest.param((group(GroupStatus.WARMING_UP, **BROKE), NEXT), SuspendGroup(FIRST), id="at its warm-up"),
        pytest.param((group(GroupStatus.WAITING, **BROKE), NEXT), OpenGroup(SECOND), id="the next one goes on"),
        pytest.param(
            (group(GroupStatus.WAITING, **BROKE), group(GroupStatus.CLOSED, id=SECOND, position=1)),
            PauseForCredit(),
            id="nothing else is left",
        ),
        pytest.param(
            (group(GroupStatus.WAITING, out_of_credit=True),), CloseGroup(FIRST), id="no work is left that would cost"
        ),
        pytest.param((group(GroupStatus.FAILED, **BROKE),), EnterJudging(), id="a failed group waits for nobody"),
    ],
)
def test_group_out_of_credit_waits_while_other_groups_continue(
    groups: tuple[GroupView, ...], action: Action | None
) -> None:
    assert advance(run(*groups), NOW) == action


def test_warm_up_waits_for_the_calls_in_flight() -> None:
    assert advance(run(group(GroupStatus.WARMING_UP, new=1, in_flight=2)), NOW) is None


@pytest.mark.parametrize("status", [RunStatus.QUEUED, RunStatus.PENDING, RunStatus.PAUSED])
def test_run_that_is_not_running_needs_no_action(status: RunStatus) -> None:
    assert advance(run(group(GroupStatus.OPEN, new=9), status=status), NOW) is None


@pytest.mark.parametrize("status", [RunStatus.FINISHED, RunStatus.CANCELLED])
@pytest.mark.parametrize("in_flight", [0, 1])
def test_finished_run_needs_no_action(status: RunStatus, in_flight: int) -> None:
    assert advance(run(group(GroupStatus.OPEN, new=9, in_flight=in_flight), status=status), NOW) is None


@pytest.mark.parametrize(
    ("view", "action"),
    [
        (group(GroupStatus.OPEN, new=9, in_flight=1), None),
        (group(GroupStatus.WARMING_UP, new=9, call_in_flight=True), None),
        (group(GroupStatus.RELEASING, call_in_flight=True), None),
        (group(GroupStatus.FAILED, in_flight=1), None),
        (group(GroupStatus.OPEN, new=9), Settle()),
        (group(GroupStatus.OPEN, new=9, backoff_until=LATER), Settle()),
        (group(GroupStatus.WAITING, new=9), Settle()),
    ],
)
def test_pausing_run_becomes_paused_when_no_call_is_in_flight(view: GroupView, action: Action | None) -> None:
    assert advance(run(view, status=RunStatus.PAUSING), NOW) == action


def test_next_group_opens_when_the_one_before_has_ended() -> None:
    first, second = group(GroupStatus.OPEN, new=1), group(GroupStatus.WAITING, new=1, id=SECOND, position=1)
    assert advance(run(second, first), NOW) == Dispatch(FIRST, 1)
    assert advance(run(second, group(GroupStatus.RELEASING, call_in_flight=True)), NOW) is None
    assert advance(run(second, group(GroupStatus.CLOSED)), NOW) == OpenGroup(SECOND)
    assert advance(run(second, group(GroupStatus.FAILED)), NOW) == OpenGroup(SECOND)
    assert advance(run(second, group(GroupStatus.FAILED, in_flight=1)), NOW) is None


def test_group_in_backoff_does_not_let_the_next_group_open() -> None:
    slow = group(GroupStatus.OPEN, new=1, backoff_until=LATER)
    assert advance(run(slow, group(GroupStatus.WAITING, new=1, id=SECOND, position=1)), NOW) == WakeAt(FIRST, LATER)


def test_judging_follows_benchmarking_and_then_the_run_ends() -> None:
    judge = group(GroupStatus.WAITING, id=SECOND, phase=RunPhase.JUDGING, position=1)
    assert advance(run(group(GroupStatus.CLOSED), judge), NOW) == EnterJudging()
    with_work = group(GroupStatus.WAITING, id=SECOND, phase=RunPhase.JUDGING, position=1, new=4)
    judging = RunPhase.JUDGING
    assert advance(run(group(GroupStatus.CLOSED), with_work, phase=judging), NOW) == OpenGroup(SECOND)
    assert advance(run(group(GroupStatus.CLOSED), judge, phase=judging), NOW) == CloseGroup(SECOND)
    over = group(GroupStatus.CLOSED, id=SECOND, phase=judging, position=1)
    finished = Finish(RunOutcome.PARTIAL)
    assert advance(run(group(GroupStatus.CLOSED), over, phase=judging, completed=1), NOW) == finished


@pytest.mark.parametrize(
    ("items", "completed", "outcome"),
    [(4, 4, RunOutcome.COMPLETE), (4, 3, RunOutcome.PARTIAL), (4, 1, RunOutcome.PARTIAL), (4, 0, RunOutcome.FAILED)],
)
def test_outcome_depends_on_the_share_of_completed_items(items: int, completed: int, outcome: RunOutcome) -> None:
    assert outcome_of(items=items, completed=completed) == outcome


@pytest.mark.parametrize("now", [NOW, LATER, LATER + timedelta(microseconds=1)])
def test_advance_waits_until_the_backoff_ends(now: datetime) -> None:
    action = advance(run(group(GroupStatus.OPEN, new=1, backoff_until=LATER)), now)
    assert action == (WakeAt(FIRST, LATER) if now < LATER else Dispatch(FIRST, 1))
