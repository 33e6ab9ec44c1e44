"""The parts of the in-memory run of `run_model`: items, scores, calls and reports."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from run_records import PROVIDER, a_group

from llmbench.contracts.outcome import Failure
from llmbench.contracts.run_words import ItemStatus, RunPhase, ScoreStatus, TaskGateStatus
from llmbench.ids import new_id
from orchestrator.kernel.domain.records import Group, Lane
from orchestrator.kernel.domain.transitions import (
    ITEM,
    SCORE,
    TASK_GATE,
    ItemMoves,
    ScoreMoves,
    TaskGateMoves,
    after,
    allows,
)

LOCAL = 2
"""Providers up to this number are local."""


def groups_of(
    count: int, judges: int, *, concurrency: int, by_program: bool, providers: Sequence[int]
) -> tuple[list[Group], list[Group]]:
    """Return `count` target groups and `judges` judging groups. With `by_program`, the first judging group has no
    model. The `providers` are assigned to the groups in turn."""
    lanes = itertools.cycle(map(_lane, providers))
    groups = [
        a_group(
            position=position,
            concurrency=concurrency,
            releases=position < count - 1 or judges > 1,
            lane=next(lanes),
        )
        for position in range(count)
    ]
    judging = [
        a_group(phase=RunPhase.JUDGING, position=count + 1 + index, concurrency=concurrency, lane=next(lanes))
        for index in range(judges)
    ]
    if by_program:
        judging.insert(0, a_group(phase=RunPhase.JUDGING, position=count, lane=None, releases=False, concurrency=4))
    return groups, judging


def _lane(number: int) -> Lane:
    provider = PROVIDER.model_copy(update={"provider_id": UUID(int=number)})
    return Lane(provider, model="llama3", token=f"provider-{number}")


@dataclass(eq=False)
class Work:
    """An item, or a score if `of` is set to its item. `previous` is the item of the conversation's preceding turn."""

    group: Group
    of: "Work | None" = None
    previous: "Work | None" = None
    waits_for: "Gate | None" = None
    item_status: ItemStatus = ItemStatus.NEW
    score_status: ScoreStatus = ScoreStatus.NEW
    dispatch: int = 0
    attempts: int = 0
    due: datetime | None = None
    answered: bool = False
    ends: int = 0
    """The number of times that the item or score became COMPLETED, FAILED, SKIPPED or SCORED."""
    id: UUID = field(default_factory=new_id)

    def move(self, item: ItemMoves, score: ScoreMoves | None = None) -> None:
        if self.of is None:
            self.item_status = after(ITEM, self.item_status, item)
            self.ends += self.item_status in (ItemStatus.COMPLETED, ItemStatus.FAILED, ItemStatus.SKIPPED)
        else:
            assert score is not None
            self.score_status = after(SCORE, self.score_status, score)
            self.ends += self.score_status in (ScoreStatus.SCORED, ScoreStatus.FAILED)

    def is_new(self) -> bool:
        return (self.item_status if self.of is None else self.score_status) == "NEW"

    def is_next(self) -> bool:
        """Return whether the item may be asked: the preceding turn is answered, and no gate holds the item (see
        `orchestrator.runs.adapters.step_statements`)."""
        if self.waits_for is not None and self.waits_for.status == TaskGateStatus.OPEN:
            return False
        return self.previous is None or self.previous.answered

    def in_flight(self) -> bool:
        return (self.item_status if self.of is None else self.score_status) == "IN_PROGRESS"

    def takes_success(self) -> bool:
        if self.of is None:
            return allows(ITEM, self.item_status, ItemMoves.ANSWER)
        return allows(SCORE, self.score_status, ScoreMoves.VERDICT)


@dataclass(eq=False)
class Gate:
    """A gate between two tasks of one group: the `held` items wait for the scores of the `gating` items. If `opens` is
    true, those scores are high enough to open the gate."""

    gating: list[Work]
    held: list[Work]
    opens: bool
    status: TaskGateStatus = TaskGateStatus.OPEN

    def move(self, event: TaskGateMoves) -> None:
        self.status = after(TASK_GATE, self.status, event)


@dataclass(frozen=True)
class Call:
    """A call. `owner` is the id of its item, score or group. A command that is sent again has an equal call."""

    owner: UUID
    dispatch: int


@dataclass(frozen=True)
class Report:
    """The report about a call. `failure` is None if the call succeeded."""

    call: Call
    failure: Failure | None
