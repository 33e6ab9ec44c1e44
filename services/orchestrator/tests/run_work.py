"""The parts of the in-memory run of `run_model`: items, scores, calls and reports."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from llmbench.contracts.outcome import Failure
from llmbench.contracts.run_words import ItemStatus, ScoreStatus
from llmbench.ids import new_id
from orchestrator.kernel.domain.records import Group
from orchestrator.kernel.domain.transitions import ITEM, SCORE, ItemMoves, ScoreMoves, after, allows


@dataclass(eq=False)
class Work:
    """An item, or a score if `of` is set to its item. `previous` is the item of the conversation's preceding turn."""

    group: Group
    of: "Work | None" = None
    previous: "Work | None" = None
    item_status: ItemStatus = ItemStatus.NEW
    score_status: ScoreStatus = ScoreStatus.NEW
    dispatch: int = 0
    attempts: int = 0
    due: datetime | None = None
    answered: bool = False
    ends: int = 0
    """The number of times it became COMPLETED, FAILED or SCORED."""
    id: UUID = field(default_factory=new_id)

    def move(self, item: ItemMoves, score: ScoreMoves | None = None) -> None:
        if self.of is None:
            self.item_status = after(ITEM, self.item_status, item)
            self.ends += self.item_status in (ItemStatus.COMPLETED, ItemStatus.FAILED)
        else:
            assert score is not None
            self.score_status = after(SCORE, self.score_status, score)
            self.ends += self.score_status in (ScoreStatus.SCORED, ScoreStatus.FAILED)

    def is_new(self) -> bool:
        return (self.item_status if self.of is None else self.score_status) == "NEW"

    def is_next(self) -> bool:
        """Return whether the preceding turn is answered, so that the item may be asked (see
        `orchestrator.runs.adapters.conversations`)."""
        return self.previous is None or self.previous.answered

    def in_flight(self) -> bool:
        return (self.item_status if self.of is None else self.score_status) == "IN_PROGRESS"

    def takes_success(self) -> bool:
        if self.of is None:
            return allows(ITEM, self.item_status, ItemMoves.ANSWER)
        return allows(SCORE, self.score_status, ScoreMoves.VERDICT)


@dataclass(frozen=True)
class Call:
    """A call, identified by its item, score or group and by its dispatch number. Repeated commands are equal calls."""

    owner: UUID
    dispatch: int


@dataclass(frozen=True)
class Report:
    """The report about a call. `failure` is None if the call succeeded."""

    call: Call
    failure: Failure | None
