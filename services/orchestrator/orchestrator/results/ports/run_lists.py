"""The order of the list of runs, its pages, and its groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from orchestrator.results.ports.schemas import RunSummary


class RunSortKey(StrEnum):
    """The sort keys of runs, named after the fields of a run. `status` sorts in the order of a run's life. `took_s` and
    `finished_at` sort only the runs that are over, `cost_usd` only the runs whose cost is known. Runs without a value
    come last in both directions."""

    CREATED_AT = "created_at"
    FINISHED_AT = "finished_at"
    NAME = "name"
    STATUS = "status"
    TOOK_S = "took_s"
    BEST_SCORE = "best_score"
    COST_USD = "cost_usd"
    CASES = "cases"
    FAILED = "failed"


@dataclass(frozen=True)
class RunOrder:
    key: RunSortKey = RunSortKey.CREATED_AT
    descending: bool = True


@dataclass(frozen=True)
class RunPlace:
    """The last run of a page: its value of the sort key, which is null for an unknown value, and its id."""

    value: datetime | float | str | None
    run_id: UUID


@dataclass(frozen=True)
class RunSlice:
    """A page of runs. `last` is the position of its last run in the list; it is `None` if no runs follow."""

    runs: Sequence[RunSummary]
    last: RunPlace | None


GroupedBy = Literal["tag", "suite", "day"]


@dataclass(frozen=True)
class Grouping:
    """A way to group runs: by tag, suite or day. Days begin at midnight in `time_zone`, an IANA name."""

    by: GroupedBy
    time_zone: str = "UTC"


@dataclass(frozen=True)
class RunGroup:
    """A group of runs with its number of runs. `key` is a tag, the name of a suite or a date; `None` for runs without a
    tag or a suite. `created_from` and `created_before` are the bounds of a day."""

    key: str | None
    runs: int
    created_from: datetime | None = None
    created_before: datetime | None = None
