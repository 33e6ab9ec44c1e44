"""Judge the pairs that were read for columns: verdicts, the winner, and each run's result over all its pairs.

A single call of `verdicts` judges the overall scores of every shown pair, every pair that decides the winner, and every
run.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair, together
from orchestrator.comparison.domain.informing import informing_verdicts
from orchestrator.comparison.domain.target_pairs import PairedBy, PairedTarget, differences
from orchestrator.comparison.domain.verdicts import Judged, verdicts
from orchestrator.comparison.domain.winner import leader
from orchestrator.comparison.handlers import shown_scores
from orchestrator.comparison.handlers.comparable import going_on, judges_differ
from orchestrator.comparison.handlers.find_winner import Standing, stand
from orchestrator.comparison.handlers.shown_scores import CaseCounts
from orchestrator.comparison.ports.benchmarks import RunComparison
from orchestrator.comparison.ports.comparison import (
    Column,
    ColumnComparison,
    ColumnDifference,
    ComparedColumn,
    Comparison,
    EvaluatorComparison,
    ScoreComparison,
)
from orchestrator.comparison.ports.pairs import EvaluatorPairs, PairedColumn, SharedScores
from orchestrator.results.ports.figure_schemas import Figures

_NOTHING = GatePair(ClusterSums(()), shared_cases=0, scored_cases=0)

PairKey = tuple[int, int]
"""The candidate and the baseline, as indices of columns."""
_Key = tuple[int | str, ...]


@dataclass(frozen=True)
class ReadSet:
    """The pairs that were read for one set of columns.

    `rivals` has the pairs of the leader (the column with the highest mean) with columns other than the baseline.
    """

    columns: Sequence[Column]
    figures: Sequence[Figures]
    cases: int
    pairs: Mapping[int, PairedColumn]
    evaluators: Mapping[int, Sequence[EvaluatorPairs]]
    shared: SharedScores
    rivals: Mapping[PairKey, PairedColumn]

    def of(self, at: int, baseline: int) -> list[Column]:
        return [self.columns[at], self.columns[baseline]]

    def pair_keys(self, baseline: int) -> list[PairKey]:
        """Return the keys (candidate, baseline) of every pair whose overall scores are judged."""
        return [*((at, baseline) for at in self.pairs), *self.rivals]

    def paired(self, pair: PairKey, baseline: int) -> PairedColumn:
        return self.pairs[pair[0]] if pair[1] == baseline else self.rivals[pair]


@dataclass(frozen=True)
class ComparedSets:
    """The judged comparisons. `comparisons` and `standings` are in the order of the sets, `runs` in the order of the
    columns without the baseline."""

    comparisons: Sequence[Comparison]
    standings: Sequence[Standing]
    runs: Sequence[RunComparison]


def judge_sets(
    read: Sequence[ReadSet],
    baseline: int,
    cluster_by: str | None,
    paired_by: Mapping[UUID, PairedBy],
    pooled: Mapping[int, ClusterSums],
) -> ComparedSets:
    """Judge all sets together.

    If the sets are pairs of targets of the same runs, `pooled` has each run's differences over all sets.
    """
    runs = {at: together(sums, [each.pairs[at].pair for each in read]) for at, sums in pooled.items()}
    # A run with a single pair has the result of that pair, which must not be counted twice.
    judged_runs = runs if len(read) > 1 else {}
    scores = _judged(
        verdicts,
        _score_pairs(read, baseline)
        | {("run", at): _if_over(_of_runs(read, at, baseline), pair) for at, pair in judged_runs.items()},
    )
    passes = _judged(verdicts, _pass_pairs(read, baseline))
    gating = _judged(verdicts, _evaluator_pairs(read, baseline, gates=True))
    informing = _judged(informing_verdicts, _evaluator_pairs(read, baseline, gates=False))
    comparisons, standings = [], []
    for number, each in enumerate(read):
        of_pairs = {pair: scores[number, *pair] for pair in each.pair_keys(baseline)}
        standing = stand(each.columns, each.shared, leader(each.shared.overall), of_pairs)
        compared = [
            _compared(
                each,
                at,
                baseline,
                paired_by=paired_by.get(each.columns[at].target_id),
                score=of_pairs[at, baseline],
                passes=passes[number, at],
                evaluators=[
                    (by, (gating if by.evaluator.gates else informing)[number, at, by.evaluator.name])
                    for by in each.evaluators.get(at, ())
                ],
            )
            for at in each.pairs
        ]
        standings.append(standing)
        comparisons.append(_comparison(each, baseline, compared, standing, cluster_by))
    return ComparedSets(
        comparisons,
        standings,
        runs=[
            _run(read, at, baseline, pair, scores.get(("run", at)) or scores[0, at, baseline])
            for at, pair in runs.items()
        ],
    )


def _judged(
    procedure: Callable[[Sequence[GatePair]], Sequence[Judged]], pairs: Mapping[_Key, GatePair]
) -> dict[_Key, Judged]:
    return dict(zip(pairs, procedure(list(pairs.values())), strict=True))


def _score_pairs(read: Sequence[ReadSet], baseline: int) -> dict[_Key, GatePair]:
    return {
        (number, *pair): _if_over(each.of(*pair), each.paired(pair, baseline).pair)
        for number, each in enumerate(read)
        for pair in each.pair_keys(baseline)
    }


def _pass_pairs(read: Sequence[ReadSet], baseline: int) -> dict[_Key, GatePair]:
    return {
        (number, at): _if_over(each.of(at, baseline), paired.passes.pair)
        for number, each in enumerate(read)
        for at, paired in each.pairs.items()
    }


def _evaluator_pairs(read: Sequence[ReadSet], baseline: int, *, gates: bool) -> dict[_Key, GatePair]:
    return {
        (number, at, by.evaluator.name): _if_over(each.of(at, baseline), by.paired.pair)
        for number, each in enumerate(read)
        for at in each.pairs
        for by in each.evaluators.get(at, ())
        if by.evaluator.gates is gates
    }


def _if_over(columns: Sequence[Column], pair: GatePair) -> GatePair:
    """Return the pair, or an empty pair while a run is still active, so that there is no early verdict."""
    return _NOTHING if going_on(columns) else pair


def _of_runs(read: Sequence[ReadSet], at: int, baseline: int) -> list[Column]:
    return [column for each in read for column in each.of(at, baseline)]


def _comparison(
    each: ReadSet,
    baseline: int,
    compared: Sequence[ColumnComparison],
    standing: Standing,
    cluster_by: str | None,
) -> Comparison:
    return Comparison(
        columns=[
            ComparedColumn(**column.model_dump(), figures=figures)
            for column, figures in zip(each.columns, each.figures, strict=True)
        ],
        baseline=baseline,
        cases=each.cases,
        comparisons=list(compared),
        cluster_by=cluster_by or each.columns[baseline].cluster_by,
        winner=standing.winner,
        winner_reason=standing.reason,
    )


def _compared(
    each: ReadSet,
    at: int,
    baseline: int,
    *,
    paired_by: PairedBy | None,
    score: Judged,
    passes: Judged,
    evaluators: Sequence[tuple[EvaluatorPairs, Judged]],
) -> ColumnComparison:
    of_both, paired = each.of(at, baseline), each.pairs[at]
    note, withheld = judges_differ(*of_both), going_on(of_both)
    return ColumnComparison(
        column=at,
        paired_by=paired_by,
        differs=_differences(*of_both),
        cases_in_both=paired.cases_in_both,
        only_baseline=paired.only_baseline,
        only_here=paired.only_here,
        questions_differ=paired.questions_differ,
        missing=paired.cases_in_both + paired.only_baseline + paired.only_here - paired.compared,
        coverage=paired.pair.coverage,
        zeros=paired.zeros,
        baseline_zeros=paired.baseline_zeros,
        score=None if note else _score(paired, score, withheld),
        passes=None if note else shown_scores.passes(paired, passes, withheld=withheld),
        note=note,
        withheld=withheld,
        evaluators=[
            EvaluatorComparison(**by.evaluator.model_dump(), score=_score(by.paired, judged, withheld))
            for by, judged in evaluators
        ],
    )


def _score(paired: PairedColumn, judged: Judged, withheld: str | None) -> ScoreComparison:
    return shown_scores.score(CaseCounts.of([paired]), paired.pair.sums, judged, withheld=withheld)


def _run(read: Sequence[ReadSet], at: int, baseline: int, pair: GatePair, judged: Judged) -> RunComparison:
    here, there = read[0].of(at, baseline)
    columns, pairs = _of_runs(read, at, baseline), [each.pairs[at] for each in read]
    note, withheld = judges_differ(here, there), going_on(columns)
    return RunComparison(
        run_id=here.run_id,
        run_name=here.run_name,
        pairs=len(read),
        cases_in_both=sum(paired.cases_in_both for paired in pairs),
        coverage=pair.coverage,
        score=None if note else shown_scores.score(CaseCounts.of(pairs), pair.sums, judged, withheld=withheld),
        note=note,
        withheld=withheld,
    )


def _differences(here: Column, baseline: Column) -> list[ColumnDifference]:
    return [
        ColumnDifference(name=difference.name, baseline=difference.baseline, here=difference.here)
        for difference in differences(_target(baseline), _target(here))
    ]


def _target(column: Column) -> PairedTarget:
    return PairedTarget(column.target_id, column.label, column.provider_name, column.model, column.settings)
