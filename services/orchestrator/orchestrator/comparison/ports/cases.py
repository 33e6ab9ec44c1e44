"""The cases of a comparison: the query of a list of cases, and the schemas of its response."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_words import ItemStatus
from orchestrator.comparison.ports.maps import ScoreBin


class Cell(BaseModel):
    """The result of one column (a target of a run) for a case. With several epochs, scores and times are means, and the
    cost is a sum; the case passes if more than half of the epochs pass.

    `item_id`, `status`, `failure` and `answer` are those of the first epoch with an answer, else of the first epoch.
    `answer` is cut to 1 KiB; the item has it in full.
    """

    item_id: UUID
    status: ItemStatus
    failure: ItemFailure | None
    epochs: int
    scored: int
    score: float | None = Field(description="On the judge's own scale.")
    score_normalised: float | None
    passed: bool | None
    difference: float | None = Field(description="Difference from the baseline, on 0…1; null in the baseline itself.")
    answer: str | None
    truncated: bool
    time_ms: float | None
    cost_usd: float | None


class ComparedCase(BaseModel):
    """A case with its `cells` in the order of the columns (targets of runs); a cell is null if the column lacks the
    case.

    `question` is cut to 1 KiB. It is the baseline's, or else that of the first column that has the case.
    """

    task_id: str
    category: str
    question: str
    questions_differ: bool
    reference_changed: bool = Field(description="Whether the references or checks differ between columns.")
    cells: list[Cell | None]


class Show(StrEnum):
    """The cases to list.

    A case is `BETTER` if at least one other column (a target of a run) has a higher score than the baseline, and
    `WORSE` if at least one has a lower score. `DIFFERING` cases are better or worse. A case is `EQUAL` if all columns
    that can be compared have the same score. It is `MISSING` if a column cannot be compared, because it or the baseline
    has no score. It is `CHANGED` if its references or checks differ between columns.

    A case is `GAINED` if it passes in at least one other column and not in the baseline. It is `LOST` if it passes in
    the baseline and not in at least one other column. A case with several epochs passes when more than half of them
    pass.
    """

    ALL = "all"
    DIFFERING = "differing"
    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    MISSING = "missing"
    CHANGED = "changed"
    GAINED = "gained"
    LOST = "lost"


CaseSort = Literal["position", "-delta", "delta", "group"]


@dataclass(frozen=True)
class CasePlace:
    """The position of a case in a sorted list of compared cases.

    The list is sorted by `difference`, then by `rank`, then by `task_id`. `difference` is null if the case has none, or
    if the list is in the order of the baseline's run. `rank` is the case's position in the baseline's run; cases that
    this run lacks have the highest ranks.
    """

    difference: float | None
    rank: int
    task_id: str


@dataclass(frozen=True)
class CaseQuery:
    """Filters, order and page of a list of compared cases.

    `show` and `sort` use the differences between the baseline and the column with the index `column`. If `column` is
    `None`, they use the differences of every other column. Then `delta` sorts by each case's lowest difference,
    ascending, and `-delta` by its highest, descending.

    `text` is searched for in task id, question, answer and reason. `bin` selects the cases whose two scores are in this
    bin. The page begins after the case `after`.
    """

    baseline: int
    column: int | None = None
    show: Show = Show.ALL
    sort: CaseSort = "position"
    categories: Sequence[str] = ()
    text: str | None = None
    bin: ScoreBin | None = None
    after: CasePlace | None = None
    limit: int = 100


class CaseGroups(BaseModel):
    """The numbers of cases in the groups of `Show`: better, worse, equal, missing, with changed references, gained and
    lost.

    A case can count in several groups, so the numbers can add up to more than the cases. A case that is better in one
    column and worse in another counts in both groups.
    """

    better: int
    worse: int
    equal: int
    missing: int
    changed: int
    gained: int
    lost: int


@dataclass(frozen=True)
class CasePage:
    """A page of compared cases, each with its position in the list. `total` is the number of cases on all pages.

    `groups` has the numbers of better, worse and other cases, as they would be without the filter `show`.
    """

    cases: Sequence[tuple[CasePlace, ComparedCase]]
    total: int
    groups: CaseGroups
