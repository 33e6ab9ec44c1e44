"""Compare columns (targets of runs): read their pairs from the database, then decide the verdicts with the pure
functions of `verdicts_of_sets`."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.suites import suite_scores
from orchestrator.comparison.domain.target_pairs import PairedBy
from orchestrator.comparison.domain.winner import leader
from orchestrator.comparison.handlers.comparable import require_key
from orchestrator.comparison.handlers.suite_weighting import score_metric
from orchestrator.comparison.handlers.verdicts_of_sets import ComparedSets, PairKey, ReadSet, verdicts_of_sets
from orchestrator.comparison.ports.comparison import Column, Comparison, ComparisonReader
from orchestrator.comparison.ports.pairs import SCORE, PairedColumn, SharedScores


async def compare(
    reader: ComparisonReader, columns: Sequence[Column], *, baseline: int, cluster_by: str | None = None
) -> Comparison:
    """Compare each column (a target of a run) with the column at the index `baseline`, and find the winner.

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
    """Compare the columns (targets of runs) of each set with the set's baseline, the column at the index `baseline`.
    The verdicts are corrected for the number of all comparisons.

    If `categories` is true, the mean scores per category are read as well. Without `cluster_by`, the clusters are those
    stored with the runs. Raises a 422 `Problem` if no case has the metadata key `cluster_by`.

    Pass `paired_by` to compare entire runs. Each run then also gets a verdict against the baseline run, over all its
    targets. Every set must have one target of each run. `paired_by` says, by target id, why the target was paired with
    the baseline's target, such as an equal label.
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
        _pairs(reader, columns, baseline=baseline, cluster_by=cluster_by),
        reader.evaluator_pairs(columns, baseline=baseline, cluster_by=cluster_by),
    )
    if categories or len(columns) > 2 or columns[0].suite is not None:
        shared = _as_the_suite_counts(columns, await reader.shared_scores(columns))
    else:
        shared = _shared_by_two(pairs, baseline)
    require_key(cluster_by, (paired.keyed for paired in pairs.values()))
    leads = leader(shared.overall)
    rivals: dict[PairKey, PairedColumn] = {}
    if leads is not None and leads != baseline and len(columns) > 2:
        others = [at for at in range(len(columns)) if at != baseline]
        chosen = [columns[at] for at in others]
        _, of_leader = await _pairs(reader, chosen, baseline=others.index(leads), cluster_by=cluster_by)
        rivals = {(others[at], leads): paired for at, paired in of_leader.items()}
    return ReadSet(columns, figures, cases, pairs, evaluators, shared, rivals)


async def _pairs(
    reader: ComparisonReader, columns: Sequence[Column], *, baseline: int, cluster_by: str | None
) -> tuple[int, dict[int, PairedColumn]]:
    """Return the result of `ComparisonReader.pairs` for the overall scores. If a column's suite weighs the tasks in the
    same way as the baseline's suite does, the tasks count by their weights."""
    metrics = {at: score_metric(column, columns[baseline]) for at, column in enumerate(columns) if at != baseline}
    common = next(iter(metrics.values())) if len(set(metrics.values())) == 1 else SCORE
    cases, pairs = await reader.pairs(columns, baseline=baseline, metric=common, cluster_by=cluster_by)
    for metric in set(metrics.values()) - {common}:
        places = [at for at, of_column in metrics.items() if of_column == metric]
        chosen = [columns[baseline], *(columns[at] for at in places)]
        _, weighed = await reader.pairs(chosen, baseline=0, metric=metric, cluster_by=cluster_by)
        pairs |= {at: weighed[place] for place, at in enumerate(places, start=1)}
    return cases, pairs


def _as_the_suite_counts(columns: Sequence[Column], shared: SharedScores) -> SharedScores:
    """Return `shared` with the scores of the suite in place of the means over all cases. Return it unchanged if a
    column (a target of a run) belongs to no suite, or if the suites weigh their tasks differently."""
    scores = suite_scores([column.suite for column in columns], shared.categories) if shared.cases else None
    return shared if scores is None else replace(shared, overall=scores, of_suite=True)


def _shared_by_two(pairs: Mapping[int, PairedColumn], baseline: int) -> SharedScores:
    """Return the mean scores of two columns (targets of runs) over their shared cases. The means are already in
    `pairs`, which has one entry, so nothing is read from the database."""
    ((_, paired),) = pairs.items()
    means = [paired.mean_here, paired.mean_baseline]
    return SharedScores(cases=paired.compared, overall=means[::-1] if baseline == 0 else means, categories={})


async def _pooled(
    reader: ComparisonReader, read: Sequence[ReadSet], *, baseline: int, cluster_by: str | None
) -> dict[int, ClusterSums]:
    """Return each run's score differences from the baseline run, summed per cluster. Each entry of `read` has one set
    of paired targets: one column per run, in the order of the runs. The keys are the indexes of the runs in this order.

    The differences of all sets are taken together. A cluster that occurs in several sets counts once.
    """
    if len(read) == 1:
        return {at: paired.pair.sums for at, paired in read[0].pairs.items()}
    pooled: dict[int, ClusterSums] = {}
    for at in read[0].pairs:
        columns = [column for read_set in read for column in (read_set.columns[baseline], read_set.columns[at])]
        baselines = [place - place % 2 for place in range(len(columns))]
        # A gate may have skipped a task for some targets only, so each pair has weights of its own.
        of_sets = [score_metric(read_set.columns[at], read_set.columns[baseline]) for read_set in read]
        metrics = of_sets if all(metric.task_weights for metric in of_sets) else [SCORE] * len(read)
        metrics = [metric for metric in metrics for _ in range(2)]
        pooled[at] = await reader.pooled(columns, baselines=baselines, metrics=metrics, cluster_by=cluster_by)
    return pooled
