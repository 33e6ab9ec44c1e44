"""The state machines of run, group, item, score and gate between tasks, as tables: (state, event) → state.

An event that a state does not list is illegal and changes nothing. The diagrams in
docs/generated/lifecycle.md are drawn from these tables.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunStatus, ScoreStatus, TaskGateStatus


class RunMoves(StrEnum):
    ADMIT = "admit"
    START = "start"
    PAUSE = "pause"
    SETTLE = "settle"
    RESUME = "resume"
    FINISH = "finish"
    CANCEL = "cancel"
    REOPEN = "reopen"


class GroupMoves(StrEnum):
    OPEN = "open"
    WARMED_UP = "warmed_up"
    CHECK = "check"
    SUSPEND = "suspend"
    DRAIN = "drain"
    CLOSE = "close"
    GIVE_UP = "give_up"
    REOPEN = "reopen"


class ItemMoves(StrEnum):
    CLAIM = "claim"
    ANSWER = "answer"
    RETRY = "retry"
    TAKE_BACK = "take_back"
    JUDGE = "judge"
    PUT_BACK = "put_back"
    COMPLETE = "complete"
    GIVE_UP = "give_up"
    SKIP = "skip"
    ASK_AFTER_ALL = "ask_after_all"
    ANSWER_AGAIN = "answer_again"
    JUDGE_AGAIN = "judge_again"


class TaskGateMoves(StrEnum):
    PASS = "pass"  # noqa: S105  # no password
    FAIL = "fail"
    REOPEN = "reopen"


class ScoreMoves(StrEnum):
    CLAIM = "claim"
    VERDICT = "verdict"
    RETRY = "retry"
    TAKE_BACK = "take_back"
    GIVE_UP = "give_up"
    AGAIN = "again"


RUN: Mapping[RunStatus, Mapping[RunMoves, RunStatus]] = {
    RunStatus.QUEUED: {RunMoves.ADMIT: RunStatus.PENDING, RunMoves.CANCEL: RunStatus.CANCELLED},
    RunStatus.PENDING: {RunMoves.START: RunStatus.RUNNING, RunMoves.CANCEL: RunStatus.CANCELLED},
    RunStatus.RUNNING: {
        RunMoves.PAUSE: RunStatus.PAUSING,
        RunMoves.FINISH: RunStatus.FINISHED,
        RunMoves.CANCEL: RunStatus.CANCELLED,
    },
    RunStatus.PAUSING: {RunMoves.SETTLE: RunStatus.PAUSED, RunMoves.CANCEL: RunStatus.CANCELLED},
    RunStatus.PAUSED: {RunMoves.RESUME: RunStatus.RUNNING, RunMoves.CANCEL: RunStatus.CANCELLED},
    # REOPEN: failed answers or scores are retried, or another judge is added.
    RunStatus.FINISHED: {RunMoves.REOPEN: RunStatus.RUNNING},
    RunStatus.CANCELLED: {},
}

GROUP: Mapping[GroupStatus, Mapping[GroupMoves, GroupStatus]] = {
    GroupStatus.WAITING: {
        GroupMoves.OPEN: GroupStatus.WARMING_UP,
        # DRAIN: a pause suspended the group after its last answer, so its model is still loaded.
        GroupMoves.DRAIN: GroupStatus.RELEASING,
        GroupMoves.CLOSE: GroupStatus.CLOSED,
    },
    GroupStatus.WARMING_UP: {
        GroupMoves.WARMED_UP: GroupStatus.OPEN,
        GroupMoves.SUSPEND: GroupStatus.WAITING,
        GroupMoves.GIVE_UP: GroupStatus.FAILED,
    },
    GroupStatus.OPEN: {
        # CHECK: different requests failed, so a warm-up tests whether the model still answers.
        GroupMoves.CHECK: GroupStatus.WARMING_UP,
        GroupMoves.DRAIN: GroupStatus.RELEASING,
        GroupMoves.CLOSE: GroupStatus.CLOSED,
        GroupMoves.SUSPEND: GroupStatus.WAITING,
        GroupMoves.GIVE_UP: GroupStatus.FAILED,
    },
    GroupStatus.RELEASING: {GroupMoves.CLOSE: GroupStatus.CLOSED},
    GroupStatus.CLOSED: {GroupMoves.REOPEN: GroupStatus.WAITING},
    GroupStatus.FAILED: {GroupMoves.REOPEN: GroupStatus.WAITING},
}

ITEM: Mapping[ItemStatus, Mapping[ItemMoves, ItemStatus]] = {
    ItemStatus.NEW: {
        ItemMoves.CLAIM: ItemStatus.IN_PROGRESS,
        # ANSWER: a late answer counts, even if its dispatch was taken back.
        ItemMoves.ANSWER: ItemStatus.WAITING_FOR_JUDGE,
        ItemMoves.GIVE_UP: ItemStatus.FAILED,
        # SKIP: a gate that the item's task waits for has failed.
        ItemMoves.SKIP: ItemStatus.SKIPPED,
    },
    ItemStatus.IN_PROGRESS: {
        ItemMoves.ANSWER: ItemStatus.WAITING_FOR_JUDGE,
        ItemMoves.RETRY: ItemStatus.NEW,
        ItemMoves.TAKE_BACK: ItemStatus.NEW,
        ItemMoves.GIVE_UP: ItemStatus.FAILED,
    },
    ItemStatus.WAITING_FOR_JUDGE: {
        ItemMoves.JUDGE: ItemStatus.JUDGING,
        ItemMoves.COMPLETE: ItemStatus.COMPLETED,
        ItemMoves.GIVE_UP: ItemStatus.FAILED,
    },
    ItemStatus.JUDGING: {
        ItemMoves.COMPLETE: ItemStatus.COMPLETED,
        ItemMoves.PUT_BACK: ItemStatus.WAITING_FOR_JUDGE,
        ItemMoves.GIVE_UP: ItemStatus.FAILED,
    },
    # JUDGE_AGAIN: a scored item can get another judge; a failed item the same judge or another.
    ItemStatus.COMPLETED: {ItemMoves.JUDGE_AGAIN: ItemStatus.WAITING_FOR_JUDGE},
    ItemStatus.FAILED: {
        ItemMoves.ANSWER_AGAIN: ItemStatus.NEW,
        ItemMoves.JUDGE_AGAIN: ItemStatus.WAITING_FOR_JUDGE,
    },
    # ASK_AFTER_ALL: the failed gate is open again, because failed answers of its task are retried.
    ItemStatus.SKIPPED: {ItemMoves.ASK_AFTER_ALL: ItemStatus.NEW},
}

# A gate that has passed stays so: the answers that it allowed are never discarded.
TASK_GATE: Mapping[TaskGateStatus, Mapping[TaskGateMoves, TaskGateStatus]] = {
    TaskGateStatus.OPEN: {
        TaskGateMoves.PASS: TaskGateStatus.PASSED,
        TaskGateMoves.FAIL: TaskGateStatus.FAILED,
    },
    TaskGateStatus.PASSED: {},
    TaskGateStatus.FAILED: {TaskGateMoves.REOPEN: TaskGateStatus.OPEN},
}

SCORE: Mapping[ScoreStatus, Mapping[ScoreMoves, ScoreStatus]] = {
    ScoreStatus.NEW: {
        ScoreMoves.CLAIM: ScoreStatus.IN_PROGRESS,
        ScoreMoves.VERDICT: ScoreStatus.SCORED,
        ScoreMoves.GIVE_UP: ScoreStatus.FAILED,
    },
    ScoreStatus.IN_PROGRESS: {
        ScoreMoves.VERDICT: ScoreStatus.SCORED,
        ScoreMoves.RETRY: ScoreStatus.NEW,
        ScoreMoves.TAKE_BACK: ScoreStatus.NEW,
        ScoreMoves.GIVE_UP: ScoreStatus.FAILED,
    },
    # AGAIN: a panel's score reopens when a member without a score is retried.
    ScoreStatus.SCORED: {ScoreMoves.AGAIN: ScoreStatus.NEW},
    ScoreStatus.FAILED: {ScoreMoves.AGAIN: ScoreStatus.NEW},
}

State = TypeVar("State", bound=StrEnum)
Move = TypeVar("Move", bound=StrEnum)


class IllegalTransition(ValueError):
    """Raised for an event that is illegal in the current state. Nothing was changed."""

    def __init__(self, state: StrEnum, move: StrEnum) -> None:
        super().__init__(f"{state} does not allow {move}")


def after(table: Mapping[State, Mapping[Move, State]], state: State, move: Move) -> State:
    """Return the state after the event. Raises `IllegalTransition` if the table does not list the event for this
    state."""
    try:
        return table[state][move]
    except KeyError:
        raise IllegalTransition(state, move) from None


def allows(table: Mapping[State, Mapping[Move, State]], state: State, move: Move) -> bool:
    return move in table[state]
