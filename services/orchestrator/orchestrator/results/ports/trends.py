"""The port to trends: the figures of each target over the runs that share a name or a suite."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy, UtcTime
from orchestrator.results.domain.trend import Break
from orchestrator.results.ports.figure_schemas import Interval


class TrendPoint(BaseModel):
    """The figures of a target in one run. They are defined as in the run's results. Only in the trend of a suite,
    `mean_score` is the score of the suite, as `GET /api/runs/{run_id}/suite` shows it.

    `breaks` names what changed since the previous run of this target. Scores before and after a break are not
    comparable.
    """

    run_id: UUID
    at: UtcTime = Field(description="The time at which the run was created.")
    model: str
    items: int
    completed: int
    failed: int
    scored: int
    mean_score: Tidy | None
    mean_score_interval: Interval | None
    pass_rate: Tidy | None
    pass_rate_interval: Interval | None
    priced: int
    cost_usd: Tidy | None
    mean_time_ms: Tidy | None
    mean_tokens_per_second: Tidy | None
    breaks: list[Break]
    completeness: str | None = Field(description="In the trend of a suite: which of its tasks have no score.")


class TrendSeries(BaseModel):
    """The points of one target label, the oldest first."""

    label: str
    points: list[TrendPoint]


class Trend(BaseModel):
    """The last finished runs that share a name or a suite. `name` is the name that the runs share, or the name of their
    suite. `more` is true if older runs are left out."""

    name: str
    runs: int
    more: bool
    series: list[TrendSeries]


class TrendName(BaseModel):
    """A name that finished runs share, or a suite of finished runs, with the number of these runs and the id and time
    of the newest one."""

    name: str
    runs: int
    last_run_id: UUID
    last_at: UtcTime


class TrendReader(Protocol):
    async def names(self, limit: int) -> Sequence[TrendName]:
        """Return the names that at least two finished runs share. The name of the latest run comes first."""
        ...

    async def suites(self, limit: int) -> Sequence[TrendName]:
        """Return the suites with at least two finished runs, in any of their versions. The suite of the latest run
        comes first."""
        ...

    async def trend(self, name: str, limit: int) -> Trend:
        """Return the trend over the last `limit` finished runs with this name. It is empty if there are none."""
        ...

    async def trend_of_suite(self, suite: str, limit: int) -> Trend:
        """Return the trend over the last `limit` finished runs of the suite, in all of its versions. It is empty if
        there are none."""
        ...
