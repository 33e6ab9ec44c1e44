"""How much of what two columns share was scored in both. Under 90 % nothing is claimed: what is missing may be what
differs."""

from dataclasses import dataclass

from orchestrator.domain.comparison.clusters import ClusterSums

ENOUGH_PERCENT = 90


@dataclass(frozen=True)
class GatePair:
    """Two columns of the same cases. `shared_cases` are in both, `scored_cases` of them have a difference. A refused,
    cut or malformed answer is scored 0; one that is unavailable, rate-limited, unparsed or errored is missing."""

    sums: ClusterSums
    shared_cases: int
    scored_cases: int

    @property
    def coverage(self) -> float:
        return self.scored_cases / self.shared_cases if self.shared_cases else 0.0

    @property
    def covered(self) -> bool:
        """Whether at least 90 % of the shared cases have a difference, and at least one does."""
        return self.scored_cases > 0 and self.scored_cases * 100 >= self.shared_cases * ENOUGH_PERCENT
