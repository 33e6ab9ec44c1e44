"""The histograms of a run, as the API returns them."""

from uuid import UUID

from pydantic import BaseModel


class TargetDistribution(BaseModel):
    """The two histograms of a target: its items by overall score, and its answers by time. A histogram has one number
    per bin, in ascending order of the bins."""

    target_id: UUID
    label: str
    model: str
    scores: list[int]
    times: list[int]


class JudgeCalls(BaseModel):
    """The number and the mean time of one judge's calls; cached answers are excluded."""

    provider_id: UUID
    model: str
    calls: int
    mean_time_ms: float


class RunDistribution(BaseModel):
    """Histograms per target, with the same bins for all targets, and the mean times of the judges' calls. The size does
    not depend on the number of items.

    `scores` counts overall scores, normalised to 0…1 like `mean_score`. `score_bins` has the centres of the bins, and
    `score_edges` the edges between them; a score on an edge is in the upper bin. The filters `overall_min` and
    `overall_below` of the item list, set to these edges, select exactly the items of a bin.

    `times` counts timed answers between two neighbours of `time_edges_ms`, which grow by a constant factor. Both lists
    are empty before the first timed answer.
    """

    score_bins: list[float]
    score_edges: list[float]
    time_edges_ms: list[float]
    targets: list[TargetDistribution]
    judges: list[JudgeCalls]
