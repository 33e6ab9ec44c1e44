"""The port that reads the data of a suite's leaderboard, and the schemas in which the leaderboard is returned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel, Field

from llmbench.contracts.base import Tidy, UtcTime
from orchestrator.results.ports.figure_schemas import Interval, TargetResult
from orchestrator.suites.domain.bradley_terry import Game
from orchestrator.suites.domain.leaderboard import Candidate, Difference
from orchestrator.suites.ports.schemas import ScoreOut, SuiteOfRun


@dataclass(frozen=True)
class LeaderboardFilter:
    """A filter of the runs and cases of a leaderboard. An empty field selects everything. `since` includes runs that
    finished exactly then. A case must have all of `tags`."""

    version: int | None = None
    provider_ids: Sequence[UUID] = ()
    since: datetime | None = None
    category: str | None = None
    tags: Sequence[str] = ()


@dataclass(frozen=True)
class Listed:
    """A target of a finished suite run that may be an entry of the leaderboard, with the fields to show.

    `left_out` are the suite's tasks that the run did not have. `evaluators` are the names of the evaluators that count,
    `judges` the names of their judges' models.
    """

    candidate: Candidate
    suite_id: UUID
    model: str
    provider_id: UUID | None
    provider_name: str
    left_out: Sequence[str]
    evaluators: Sequence[str]
    judges: Sequence[str]


@dataclass(frozen=True)
class SuiteRuns:
    """The targets of the newest finished runs of a suite. `more` says whether there are older runs."""

    name: str
    listed: Sequence[Listed]
    versions: Sequence[int]
    more: bool


class LeaderboardEntry(ScoreOut):
    """A target label with the scores of its latest complete run.

    Its rank is between `rank_low` and `rank_high`: intervals that overlap do not separate two entries. Cost and speed
    are those of the target in the entire run, whatever the filters of category and tags.
    """

    rank_low: int
    rank_high: int
    label: str
    model: str
    provider_id: UUID | None
    provider_name: str
    run_id: UUID
    target_id: UUID
    finished_at: UtcTime
    scored: int
    items: int
    answers: int = Field(description="The items of the target in the entire run.")
    priced: int
    cost_usd: Tidy | None
    mean_time_ms: Tidy | None
    p95_time_ms: Tidy | None
    mean_tokens_per_second: Tidy | None


class NotListed(BaseModel):
    """A target label without a complete run, and why its latest run does not count."""

    label: str
    run_id: UUID
    reason: str


class Player(BaseModel):
    """A player of the head-to-head ranking: an entry of the list, or the reference answers (`target_id` is null).

    `strength` is on the logit scale: a player beats an equally strong one in half of the games. The strengths of all
    players add up to 0.
    """

    label: str
    target_id: UUID | None
    strength: Tidy
    interval: Interval | None
    rank_low: int
    rank_high: int
    games: int


class HeadToHead(BaseModel):
    """The Bradley-Terry ranking of the entries by pairwise scores. Each answer was compared with the reference answer
    of its case.

    If the games determine no finite strengths, there are no players, and `reason` says why.
    """

    players: list[Player]
    reason: str | None


class LeaderboardList(BaseModel):
    """Entries whose scores may be compared with each other, the best first.

    The first list of a leaderboard has the newest run. `differs` says why scores of this list cannot be compared with
    scores of the first; it is empty in the first list.
    """

    suite_id: UUID
    version_number: int
    evaluators: list[str]
    judges: list[str]
    differs: list[Difference]
    entries: list[LeaderboardEntry]
    not_listed: list[NotListed]
    head_to_head: HeadToHead | None = Field(description="Null without pairwise scores.")


class Leaderboard(BaseModel):
    """The leaderboard of a suite. `versions` and `categories` can be used as filters. Only the newest runs are read;
    `more` is true if there are older ones.
    """

    name: str
    versions: list[int]
    categories: list[str]
    lists: list[LeaderboardList]
    more: bool


class LeaderboardReader(Protocol):
    async def name_of(self, suite: str) -> str | None:
        """Return the name of a suite. `suite` is this name, or the id of one of the suite's versions. Return `None` if
        neither such a suite nor a run of it exists."""
        ...

    async def runs(self, name: str, chosen: LeaderboardFilter) -> SuiteRuns: ...

    async def scores(self, run_id: UUID, tags: Sequence[str]) -> SuiteOfRun | None:
        """Return the scores of a suite run over the cases with all of the tags."""
        ...

    async def figures(self, run_id: UUID) -> Mapping[UUID, TargetResult]:
        """Return the results of a run's targets, such as cost and speed, by target id."""
        ...

    async def games(self, targets: Sequence[Candidate], tasks: Sequence[str], tags: Sequence[str]) -> Sequence[Game]:
        """Return the pairwise scores of the targets in these tasks, as games of two players. A game compares the answer
        of a target, whose id is one player, with the reference answer, which is the player `REFERENCE`."""
        ...


REFERENCE = "reference"
"""The name of the player that stands for all reference answers. The others have the id of their target."""
