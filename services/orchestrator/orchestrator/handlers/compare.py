"""Compare columns: find them, let the database pair their cases, judge the differences and name the winner.

One call of `verdicts` judges the overall scores of every pair that is shown and of every pair that the winner rests on.
"""

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from llmbench.errors import FieldError, Problem
from llmbench.thresholds import tidy
from orchestrator.domain.comparison.clusters import ClusterSums
from orchestrator.domain.comparison.coverage import GatePair
from orchestrator.domain.comparison.informing import informing_verdicts
from orchestrator.domain.comparison.interval import MeanInterval
from orchestrator.domain.comparison.verdicts import Judged, verdicts
from orchestrator.domain.comparison.winner import leader
from orchestrator.handlers.comparable import going_on, judges_differ
from orchestrator.handlers.find_winner import Standing, stand
from orchestrator.ports.comparison import (
    Column,
    ColumnComparison,
    ColumnRef,
    ComparedColumn,
    Comparison,
    ComparisonReader,
    EvaluatorComparison,
    PassComparison,
    ScoreComparison,
)
from orchestrator.ports.figure_schemas import Figures, Interval
from orchestrator.ports.pairs import EvaluatorPairs, PairedColumn, SharedScores
from orchestrator.ports.schemas import RunSummary

_NOTHING = GatePair(ClusterSums(()), shared_cases=0, scored_cases=0)

PairKey = tuple[int, int]
"""The candidate and the baseline: indices of columns."""


@dataclass(frozen=True)
class _Found:
    """What was read of one set of columns. `rivals` are the leader's pairs that the baseline has no part in."""

    columns: Sequence[Column]
    figures: Sequence[Figures]
    cases: int
    pairs: Mapping[int, PairedColumn]
    evaluators: Mapping[int, Sequence[EvaluatorPairs]]
    shared: SharedScores
    rivals: Mapping[PairKey, PairedColumn]


async def find_columns(reader: ComparisonReader, refs: Sequence[ColumnRef]) -> list[Column]:
    """Raises a 404 `Problem` naming the first that is not there, and a 422 for one that is named twice."""
    for at, ref in enumerate(refs):
        if ref in refs[:at]:
            message = f"{ref.run_id}:{ref.target_id} is named twice"
            raise Problem(422, "Invalid request", message, errors=[FieldError("column", message)])
    columns: list[Column] = []
    for ref, column in zip(refs, await reader.columns(refs), strict=True):
        if column is None:
            raise Problem(404, "No such column", f"There is no target {ref.target_id} in a run {ref.run_id}.")
        columns.append(column)
    return columns


async def compare(
    reader: ComparisonReader, columns: Sequence[Column], *, baseline: int, cluster_by: str | None = None
) -> Comparison:
    """Every column but the baseline against it, and the winner."""
    ((found, _),) = await compare_all(reader, [columns], baseline=baseline, cluster_by=cluster_by, categories=False)
    return found


async def compare_all(
    reader: ComparisonReader,
    sets: Sequence[Sequence[Column]],
    *,
    baseline: int,
    cluster_by: str | None = None,
    categories: bool = True,
) -> list[tuple[Comparison, Standing]]:
    """Several comparisons at once: their verdicts allow for all that is compared. `categories`: the standings have the
    scores of each. Raises a 422 `Problem` where no case
    has the metadata key that is named."""
    found = [
        await _read(reader, columns, baseline=baseline, cluster_by=cluster_by, categories=categories)
        for columns in sets
    ]
    # scipy's first import and a bootstrap take their time, which is not the event loop's.
    return await asyncio.to_thread(_judged, found, baseline, cluster_by)


async def _read(
    reader: ComparisonReader, columns: Sequence[Column], *, baseline: int, cluster_by: str | None, categories: bool
) -> _Found:
    figures, (cases, pairs), evaluators = await asyncio.gather(
        reader.figures(columns),
        reader.pairs(columns, baseline=baseline, cluster_by=cluster_by),
        reader.evaluator_pairs(columns, baseline=baseline, cluster_by=cluster_by),
    )
    if categories or len(columns) > 2:
        shared = await reader.shared_scores(columns)
    else:
        shared = _shared_by_two(pairs, baseline)
    if cluster_by is not None:
        require_key(cluster_by, (paired.keyed for paired in pairs.values()))
    leads = leader(shared.overall)
    rivals: dict[PairKey, PairedColumn] = {}
    if leads is not None and leads != baseline and len(columns) > 2:
        others = [at for at in range(len(columns)) if at != baseline]
        chosen = [columns[at] for at in others]
        _, of_leader = await reader.pairs(chosen, baseline=others.index(leads), cluster_by=cluster_by)
        rivals = {(others[at], leads): paired for at, paired in of_leader.items()}
    return _Found(columns, figures, cases, pairs, evaluators, shared, rivals)


def _shared_by_two(pairs: Mapping[int, PairedColumn], baseline: int) -> SharedScores:
    """The cases that two columns share are those of their pair: nothing is read again."""
    ((_, paired),) = pairs.items()
    means = [paired.mean_here, paired.mean_baseline]
    return SharedScores(cases=paired.compared, overall=means[::-1] if baseline == 0 else means, categories={})


def require_key(cluster_by: str, keyed: Iterable[bool]) -> None:
    """Raise a 422 `Problem` where no case has the metadata key."""
    if not any(keyed):
        message = f"no case of these runs has the metadata key '{cluster_by}': name one that they have, or none"
        raise Problem(422, "Invalid request", f"cluster_by: {message}", errors=[FieldError("cluster_by", message)])


def by_label(runs: Sequence[RunSummary], *, baseline: int) -> list[list[ColumnRef]]:
    """What of these runs is compared with what: targets of one label, or the only one of each run. Raises a 422
    `Problem` where nothing belongs together."""
    if all(len(run.targets) == 1 for run in runs):
        return [[ColumnRef(run.id, run.targets[0].id) for run in runs]]
    of_run = [{target.label: ColumnRef(run.id, target.id) for target in run.targets} for run in runs]
    shared = [label for label in of_run[baseline] if all(label in labels for labels in of_run)]
    if not shared:
        message = "these runs have no target of the same label: name the targets to compare, as `columns`"
        raise Problem(422, "Nothing to compare", message, errors=[FieldError("run_ids", message)])
    return [[labels[label] for labels in of_run] for label in shared]


def _judged(found: Sequence[_Found], baseline: int, cluster_by: str | None) -> list[tuple[Comparison, Standing]]:
    scores, passes = iter(verdicts(_score_pairs(found, baseline))), iter(verdicts(_pass_pairs(found, baseline)))
    gating = iter(verdicts(_evaluator_pairs(found, baseline, gates=True)))
    informing = iter(informing_verdicts(_evaluator_pairs(found, baseline, gates=False)))
    made = []
    for one in found:
        by_pair = {(at, baseline): next(scores) for at in one.pairs} | {pair: next(scores) for pair in one.rivals}
        standing = stand(one.columns, one.shared, leader(one.shared.overall), by_pair)
        compared = [
            _compared(
                at,
                one.columns,
                baseline,
                paired,
                score=by_pair[at, baseline],
                passes=next(passes),
                evaluators=[
                    (by, next(gating if by.evaluator.gates else informing)) for by in one.evaluators.get(at, ())
                ],
            )
            for at, paired in one.pairs.items()
        ]
        comparison = Comparison(
            columns=[
                ComparedColumn(**column.model_dump(), figures=figures)
                for column, figures in zip(one.columns, one.figures, strict=True)
            ],
            baseline=baseline,
            cases=one.cases,
            comparisons=compared,
            cluster_by=cluster_by or one.columns[baseline].cluster_by,
            winner=standing.winner,
            winner_reason=standing.reason,
        )
        made.append((comparison, standing))
    return made


def _score_pairs(found: Sequence[_Found], baseline: int) -> list[GatePair]:
    return [
        _if_over([one.columns[candidate], one.columns[reference]], paired.pair)
        for one in found
        for (candidate, reference), paired in [
            *(((at, baseline), paired) for at, paired in one.pairs.items()),
            *one.rivals.items(),
        ]
    ]


def _pass_pairs(found: Sequence[_Found], baseline: int) -> list[GatePair]:
    return [
        _if_over([one.columns[at], one.columns[baseline]], paired.passes.pair)
        for one in found
        for at, paired in one.pairs.items()
    ]


def _evaluator_pairs(found: Sequence[_Found], baseline: int, *, gates: bool) -> list[GatePair]:
    return [
        _if_over([one.columns[at], one.columns[baseline]], by.paired.pair)
        for one in found
        for at in one.pairs
        for by in one.evaluators.get(at, ())
        if by.evaluator.gates is gates
    ]


def _if_over(columns: Sequence[Column], pair: GatePair) -> GatePair:
    """Nothing is judged of a run that goes on."""
    return _NOTHING if going_on(columns) else pair


def _compared(
    at: int,
    columns: Sequence[Column],
    baseline: int,
    paired: PairedColumn,
    *,
    score: Judged,
    passes: Judged,
    evaluators: Sequence[tuple[EvaluatorPairs, Judged]],
) -> ColumnComparison:
    of_both = [columns[at], columns[baseline]]
    note, withheld = judges_differ(*of_both), going_on(of_both)
    return ColumnComparison(
        column=at,
        cases_in_both=paired.cases_in_both,
        only_baseline=paired.only_baseline,
        only_here=paired.only_here,
        questions_differ=paired.questions_differ,
        missing=paired.cases_in_both + paired.only_baseline + paired.only_here - paired.compared,
        coverage=paired.pair.coverage,
        zeros=paired.zeros,
        baseline_zeros=paired.baseline_zeros,
        score=None if note else _score(paired, score, withheld=withheld),
        passes=None if note else _passes(paired, passes, withheld=withheld),
        note=note,
        withheld=withheld,
        evaluators=[
            EvaluatorComparison(**by.evaluator.model_dump(), score=_score(by.paired, judged, withheld=withheld))
            for by, judged in evaluators
        ],
    )


def _score(paired: PairedColumn, judged: Judged, *, withheld: str | None) -> ScoreComparison:
    return ScoreComparison(
        cases=paired.compared,
        clusters=paired.pair.sums.clusters,
        better=paired.better,
        worse=paired.worse,
        equal=paired.compared - paired.better - paired.worse,
        mean=paired.pair.sums.mean,
        mean_here=paired.mean_here,
        mean_baseline=paired.mean_baseline,
        interval=shown(judged.interval),
        simultaneous=shown(judged.simultaneous),
        method=judged.interval.method if judged.interval else None,
        verdict=None if withheld else judged.verdict,
        clusters_needed=judged.clusters_needed,
    )


def _passes(paired: PairedColumn, judged: Judged, *, withheld: str | None) -> PassComparison:
    passes = paired.passes
    return PassComparison(
        cases=passes.pair.sums.pairs,
        gained=passes.gained,
        lost=passes.lost,
        rate_difference=passes.pair.sums.mean,
        interval=shown(judged.interval),
        simultaneous=shown(judged.simultaneous),
        verdict=None if withheld or not passes.pair.sums.counted else judged.verdict,
    )


def shown(interval: MeanInterval | None) -> Interval | None:
    """As the API has it; one that is open on a side is none."""
    if interval is None or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return None
    return Interval(low=tidy(interval.low), high=tidy(interval.high))
