"""Compare columns: read their pairs from the database, then decide the verdicts with the pure functions of
`verdicts_of_sets`."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.target_pairs import PairedBy
from orchestrator.comparison.domain.winner import leader
from orchestrator.comparison.handlers.comparable import require_key
from orchestrator.comparison.handlers.verdicts_of_sets import ComparedSets, PairKey, ReadSet, verdicts_of_sets
from orchestrator.comparison.ports.comparison import Column, Comparison, ComparisonReader
from orchestrator.comparison.ports.pairs import PairedColumn, SharedScores


async def compare(
    reader: ComparisonReader, columns: Sequence[Column], *, baseline: int, cluster_by: str | None = None
) -> Comparison:
    """Compare every other column with the baseline, and find the winner.

    Without `cluster_by`, the clusters are those stored with the runs. Raises a 422 `Problem` if no case has the
    metadata key `cluster_by`.
    """
    result = await compare_all(reader, [columns], baseline=baseline, cluster_by=cluster_by, categories=False)
    return result.comparisons[0]


async def compare_all(
    reader: ComparisonReader,
    sets: Sequence[Sequence[Column]],
    *,
    baseline: int,
    cluster_by: str | None = None,
    categories: bool = True,
    paired_by: Mapping[UUID, PairedBy] | None = None,
) -> ComparedSets:
    """Compare each set of columns with the column of the set at the index `baseline`. The verdicts are corrected for
    the number of all comparisons.

    `categories` adds scores per category to the standings. `paired_by` is given if each set has one target of each of
    the same runs; the runs are then compared as well. It says, by target id, how a target was paired. Without
    `cluster_by`, the clusters are those stored with the runs. Raises a 422 `Problem` if no case has the metadata key
    `cluster_by`.
    """
    read = [
        await _read(reader, columns, baseline=baseline, cluster_by=cluster_by, categories=categories)
        for columns in sets
    ]
    pooled = {} if paired_by is None else await _pooled(reader, read, baseline=baseline, cluster_by=cluster_by)
    # Run in a thread: importing scipy and bootstrapping would block the event loop.
    return await asyncio.to_thread(verdicts_of_sets, read, baseline, cluster_by, paired_by or {}, pooled)


async def _read(
    reader: ComparisonReader, columns: Sequence[Column], *, baseline: int, cluster_by: str | None, categories: bool
) -> ReadSet:
    figures, (cases, pairs), evaluators = await asyncio.gather(
        reader.figures(columns),
        reader.pairs(columns, baseline=baseline, cluster_by=cluster_by),
        reader.evaluator_pairs(columns, baseline=baseline, cluster_by=cluster_by),
    )
    if categories or len(columns) > 2:
        shared = await reader.shared_scores(columns)
    else:
        shared = _shared_by_two(pairs, baseline)
    require_key(cluster_by, (paired.keyed for paired in pairs.values()))
    leads = leader(shared.overall)
    rivals: dict[PairKey, PairedColumn] = {}
    if leads is not None and leads != baseline and len(columns) > 2:
        others = [at for at in range(len(columns)) if at != baseline]
        chosen = [columns[at] for at in others]
        _, of_leader = await reader.pairs(chosen, baseline=others.index(leads), cluster_by=cluster_by)
        rivals = {(others[at], leads): paired for at, paired in of_leader.items()}
    return ReadSet(columns, figures, cases, pairs, evaluators, shared, rivals)


def _shared_by_two(pairs: Mapping[int, PairedColumn], baseline: int) -> SharedScores:
    """Return the mean scores of two columns over their shared cases. The pair that has already been read contains
    them."""
    ((_, paired),) = pairs.items()
    means = [paired.mean_here, paired.mean_baseline]
    return SharedScores(cases=paired.compared, overall=means[::-1] if baseline == 0 else means, categories={})


async def _pooled(
    reader: ComparisonReader, read: Sequence[ReadSet], *, baseline: int, cluster_by: str | None
) -> dict[int, ClusterSums]:
    """Return each run's differences from the baseline, by the index of its column, pooled over all pairs of targets.

    A cluster that occurs in several pairs counts once.
    """
    if len(read) == 1:
        return {at: paired.pair.sums for at, paired in read[0].pairs.items()}
    pooled: dict[int, ClusterSums] = {}
    for at in read[0].pairs:
        columns = [column for read_set in read for column in (read_set.columns[baseline], read_set.columns[at])]
        baselines = [place - place % 2 for place in range(len(columns))]
        pooled[at] = await reader.pooled(columns, baselines=baselines, cluster_by=cluster_by)
    return pooled
