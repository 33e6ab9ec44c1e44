"""Compute the coverage of a comparison: the share of the cases in both columns (targets of runs) that have a score in
both.

If it is under 90 %, the verdict is neither better nor worse, because the missing cases may be the ones that differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orchestrator.comparison.domain.clusters import ClusterSums

ENOUGH_PERCENT = 90


@dataclass(frozen=True)
class GatePair:
    """Paired results of two columns (targets of runs) over the same cases.

    `sums` are the differences, summed per cluster. `shared_cases` is the number of cases that both columns have, and
    `scored_cases` the number of these cases that have a difference. In scores and pass rates, an answer that the model
    itself failed to give counts as 0. Any other answer without a value is missing.

    If the tasks of a suite are weighed, the two numbers are those of the task with the lowest coverage, and `task` is
    its name. Otherwise `task` is `None`.
    """

    sums: ClusterSums
    shared_cases: int
    scored_cases: int
    task: str | None = None

    @property
    def coverage(self) -> float:
        return self.scored_cases / self.shared_cases if self.shared_cases else 0.0

    @property
    def covered(self) -> bool:
        """Return whether enough cases can be compared: at least one, and at least 90 % of the shared cases. A case can
        be compared if both columns have a value for it."""
        return self.scored_cases > 0 and self.scored_cases * 100 >= self.shared_cases * ENOUGH_PERCENT


def combined(sums: ClusterSums, pairs: Sequence[GatePair]) -> GatePair:
    """Return a pair with the given `sums`, which combine the differences of all `pairs`. It has the coverage of the
    pair with the lowest coverage, so that complete pairs do not hide a pair without enough scores."""
    least = min(pairs, key=lambda pair: pair.coverage)
    return replace(least, sums=sums)
