"""Shuffle the cases of an experiment by its seed. Cases that depend on each other stay together, as one cluster."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from orchestrator.kernel.domain.sample import SampledCase


@dataclass(frozen=True)
class OrderedCase:
    """A case at its position. `cluster` is the number of its cluster in the order of the shuffle, from 0 on."""

    position: int
    case_id: UUID
    name: str
    cluster: int


def shuffled(cases: Sequence[SampledCase], seed: int) -> list[OrderedCase]:
    """Return the cases in the order that the seed determines, always the same for a seed. Clusters are ordered by a
    hash of seed and name. The cases of a cluster keep their order."""
    clusters: dict[tuple[str, str], list[SampledCase]] = {}
    for case in cases:
        clusters.setdefault(case.cluster(), []).append(case)
    ordered: list[OrderedCase] = []
    for number, cluster in enumerate(sorted(clusters, key=lambda each: _rank(seed, each))):
        for case in clusters[cluster]:
            ordered.append(OrderedCase(len(ordered), case.id, case.name, number))
    return ordered


def _rank(seed: int, cluster: tuple[str, str]) -> tuple[bytes, tuple[str, str]]:
    kind, name = cluster
    return hashlib.sha256(f"{seed}:{kind}:{name}".encode("utf-8", "surrogatepass")).digest(), cluster
