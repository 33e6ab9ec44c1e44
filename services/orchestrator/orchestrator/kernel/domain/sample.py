"""Take a sample of a run's cases: a pure function of the cases, the requested sample and its seed.

Cases are ordered by a hash of the seed and of their cluster's name. A seed therefore always gives cases the same order,
also after texts were edited or cases added. A smaller random sample is part of a larger one.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from llmbench.sampling import allocate

MAX_SEED = 2**31 - 1

Strategy = Literal["random", "stratified"]


@dataclass(frozen=True)
class Sample:
    """A sample as requested. A null `size` takes all cases with the `tags`. `derived` is true if the seed comes from
    the run's name, because the request has none."""

    size: int | None
    strategy: Strategy
    seed: int
    derived: bool = False
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class SampledCase:
    """A case that may be sampled. Cases of one `key` (a document, or a value of the run's metadata key) stay together,
    and so do those of one `conversation`. `tagged` is true if the case has all tags of the sample."""

    id: UUID
    name: str
    category: str
    key: str | None = None
    conversation: str | None = None
    tagged: bool = True

    def cluster(self) -> tuple[str, str]:
        if self.key is not None:
            return "key", self.key
        return ("case", self.name) if self.conversation is None else ("conversation", self.conversation)


def seed_of(name: str) -> int:
    """Return the seed of runs of this name.

    >>> seed_of("nightly") == seed_of("nightly") != seed_of("weekly")
    True
    """
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) & MAX_SEED


def with_tags(cases: Sequence[SampledCase]) -> list[SampledCase]:
    """Return the cases that have all tags of the sample. If one turn of a conversation has them, all turns of the
    conversation are returned."""
    conversations = {case.conversation for case in cases if case.tagged and case.conversation is not None}
    return [case for case in cases if case.tagged or case.conversation in conversations]


def take(cases: Sequence[SampledCase], sample: Sample) -> list[UUID]:
    """Return the ids of the sampled cases, in the order of `cases`.

    Complete clusters are taken until there are enough cases, so the sample may be larger than requested. A stratified
    sample takes each category's share in this way; a cluster counts for its most frequent category.
    """
    if sample.size is None or sample.size >= len(cases):
        return [case.id for case in cases]
    clusters: dict[tuple[str, str], list[SampledCase]] = {}
    for case in cases:
        clusters.setdefault(case.cluster(), []).append(case)
    strata: dict[str | None, list[tuple[str, str]]] = {}
    for cluster, together in clusters.items():
        stratum = _category(together) if sample.strategy == "stratified" else None
        strata.setdefault(stratum, []).append(cluster)
    totals = {stratum: sum(len(clusters[each]) for each in named) for stratum, named in strata.items()}
    sizes = allocate(totals, sample.size)
    taken: set[UUID] = set()
    for stratum, named in strata.items():
        left = sizes[stratum]
        for cluster in sorted(named, key=lambda each: _rank(sample.seed, each)):
            if left <= 0:
                break
            left -= len(clusters[cluster])
            taken.update(case.id for case in clusters[cluster])
    return [case.id for case in cases if case.id in taken]


def _category(together: Sequence[SampledCase]) -> str:
    counts = Counter(case.category for case in together)
    return min(counts, key=lambda category: (-counts[category], category))


def _rank(seed: int, cluster: tuple[str, str]) -> tuple[bytes, tuple[str, str]]:
    kind, name = cluster
    return hashlib.sha256(f"{seed}:{kind}:{name}".encode("utf-8", "surrogatepass")).digest(), cluster
