"""Decide the verdicts of several comparisons at once, so that they are corrected for their total number.

A column is a target of a run, and a set is the columns of one comparison. A single call of `verdicts` decides the
overall scores of every shown pair of columns, of every pair that determines the winner of a set, and of every run. The
score of a run is over the pairs of all its columns.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair, combined
from orchestrator.comparison.domain.informing import informing_verdicts
from orchestrator.comparison.domain.target_pairs import PairedBy, PairedTarget, differences
from orchestrator.comparison.domain.verdicts import Judged, verdicts
from orchestrator.comparison.domain.winner import leader
from orchestrator.comparison.handlers import shown_scores
from orchestrator.comparison.handlers.comparable import (
    reason_not_comparable,
    reason_run_is_active,
    references_words,
)
from orchestrator.comparison.handlers.find_winner import Standing, find_standing
from orchestrator.comparison.handlers.shown_scores import CaseCounts
from orchestrator.comparison.handlers.suite_weighting import weighting_words
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
"""The candidate and the baseline of a pair, as indices of columns."""
_Key = tuple[int | str, ...]


@dataclass(frozen=True)
class ReadSet:
    """The data that was read for one set of columns (targets of runs).

    `cases` is the number of cases that at least one column has. `pairs` and `evaluators` compare each column with the
    baseline; their keys are the columns' indexes. `rivals` has the pairs of the leader (the column with the highest
    mean) with the columns other than the baseline. It is empty if the baseline leads.
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
        """Return the keys (candidate, baseline) of every pair whose overall scores need a verdict."""
        return [*((at, baseline) for at in self.pairs), *self.rivals]

    def paired(self, pair: PairKey, baseline: int) -> PairedColumn:
        return self.pairs[pair[0]] if pair[1] == baseline else self.rivals[pair]


@dataclass(frozen=True)
class ComparedSets:
    """The comparisons of several sets of columns (targets of runs), with their verdicts.

    `comparisons` and `standings` have one entry per set. The entry of `standings` has the columns' mean scores, and the
    winner or the reason why there is none. If runs are compared, `runs` has one entry per run, compared with the
    baseline's run; otherwise it is empty.
    """

    comparisons: Sequence[Comparison]
    standings: Sequence[Standing]
    runs: Sequence[RunComparison]


def verdicts_of_sets(
    read: Sequence[ReadSet],
    baseline: int,
    cluster_by: str | None,
    paired_by: Mapping[UUID, PairedBy],
    pooled: Mapping[int, ClusterSums],
) -> ComparedSets:
    """Return the verdicts of several comparisons, corrected for their total number.

    Each entry of `read` has one set of paired targets: one column per run, in the order of the runs. `pooled` has each
    run's differences from the baseline over all sets, by the run's index in this order. `paired_by` says, by target id,
    why the target was paired with the baseline's target, such as an equal label. `pooled` and `paired_by` are empty if
    only columns are compared, not runs.
    """
    runs = {at: combined(sums, [read_set.pairs[at].pair for read_set in read]) for at, sums in pooled.items()}
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
    for number, read_set in enumerate(read):
        of_pairs = {pair: scores[number, *pair] for pair in read_set.pair_keys(baseline)}
        standing = find_standing(read_set.columns, read_set.shared, leader(read_set.shared.overall), of_pairs)
        compared = [
            _compared(
                read_set,
                at,
                baseline,
                paired_by=paired_by.get(read_set.columns[at].target_id),
                score=of_pairs[at, baseline],
                passes=passes[number, at],
                evaluators=[
                    (
                        shared,
                        (gating if shared.evaluator.gates else informing)[number, at, shared.evaluator.name],
                    )
                    for shared in read_set.evaluators.get(at, ())
                ],
            )
            for at in read_set.pairs
        ]
        standings.append(standing)
        comparisons.append(_comparison(read_set, baseline, compared, standing, cluster_by))
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
        (number, *pair): _if_over(read_set.of(*pair), read_set.paired(pair, baseline).pair)
        for number, read_set in enumerate(read)
        for pair in read_set.pair_keys(baseline)
    }


def _pass_pairs(read: Sequence[ReadSet], baseline: int) -> dict[_Key, GatePair]:
    return {
        (number, at): _if_over(read_set.of(at, baseline), paired.passes.pair)
        for number, read_set in enumerate(read)
        for at, paired in read_set.pairs.items()
    }


def _evaluator_pairs(read: Sequence[ReadSet], baseline: int, *, gates: bool) -> dict[_Key, GatePair]:
    return {
        (number, at, shared.evaluator.name): _if_over(read_set.of(at, baseline), shared.paired.pair)
        for number, read_set in enumerate(read)
        for at in read_set.pairs
        for shared in read_set.evaluators.get(at, ())
        if shared.evaluator.gates is gates
    }


def _if_over(columns: Sequence[Column], pair: GatePair) -> GatePair:
    """Return the pair if all runs of the columns are over. While a run is active, return an empty pair, which gets no
    verdict."""
    return _NOTHING if reason_run_is_active(columns) else pair


def _of_runs(read: Sequence[ReadSet], at: int, baseline: int) -> list[Column]:
    return [column for read_set in read for column in read_set.of(at, baseline)]


def _comparison(
    read_set: ReadSet,
    baseline: int,
    compared: Sequence[ColumnComparison],
    standing: Standing,
    cluster_by: str | None,
) -> Comparison:
    return Comparison(
        columns=[
            ComparedColumn(**column.model_dump(), figures=figures)
            for column, figures in zip(read_set.columns, read_set.figures, strict=True)
        ],
        baseline=baseline,
        cases=read_set.cases,
        comparisons=list(compared),
        cluster_by=cluster_by or read_set.columns[baseline].cluster_by,
        winner=standing.winner,
        winner_reason=standing.reason,
    )


def _compared(
    read_set: ReadSet,
    at: int,
    baseline: int,
    *,
    paired_by: PairedBy | None,
    score: Judged,
    passes: Judged,
    evaluators: Sequence[tuple[EvaluatorPairs, Judged]],
) -> ColumnComparison:
    of_both, paired = read_set.of(at, baseline), read_set.pairs[at]
    note, withheld = reason_not_comparable(*of_both), reason_run_is_active(of_both)
    return ColumnComparison(
        column=at,
        paired_by=paired_by,
        differs=_differences(*of_both),
        cases_in_both=paired.cases_in_both,
        only_baseline=paired.only_baseline,
        only_here=paired.only_here,
        questions_differ=paired.questions_differ,
        references_changed=paired.references_changed,
        references_note=references_words(paired.references_changed, paired.cases_in_both),
        missing=paired.cases_in_both + paired.only_baseline + paired.only_here - paired.compared,
        coverage=paired.pair.coverage,
        least_covered=paired.pair.task,
        weighting=weighting_words(of_both[0], of_both[1], paired.tasks),
        zeros=paired.zeros,
        baseline_zeros=paired.baseline_zeros,
        score=None if note else _score(paired, score, withheld),
        passes=None if note else shown_scores.passes(paired, passes, withheld=withheld),
        note=note,
        withheld=withheld,
        evaluators=[
            EvaluatorComparison(**shared.evaluator.model_dump(), score=_score(shared.paired, judged, withheld))
            for shared, judged in evaluators
        ],
    )


def _score(paired: PairedColumn, judged: Judged, withheld: str | None) -> ScoreComparison:
    return shown_scores.score(CaseCounts.of([paired]), paired.pair.sums, judged, withheld=withheld)


def _run(read: Sequence[ReadSet], at: int, baseline: int, pair: GatePair, judged: Judged) -> RunComparison:
    here, there = read[0].of(at, baseline)
    columns, pairs = _of_runs(read, at, baseline), [read_set.pairs[at] for read_set in read]
    note, withheld = reason_not_comparable(here, there), reason_run_is_active(columns)
    return RunComparison(
        run_id=here.run_id,
        run_name=here.run_name,
        pairs=len(read),
        cases_in_both=sum(paired.cases_in_both for paired in pairs),
        coverage=pair.coverage,
        least_covered=pair.task,
        weighting=_weighting(read, at, baseline),
        score=None if note else shown_scores.score(CaseCounts.of(pairs), pair.sums, judged, withheld=withheld),
        note=note,
        withheld=withheld,
    )


def _weighting(read: Sequence[ReadSet], at: int, baseline: int) -> str | None:
    """Return the sentences of `weighting_words` for a pair of runs. If they differ between the pairs of targets,
    because gates skipped a task for some targets only, each pair's sentences follow the label of its target."""
    words: dict[str, str | None] = {}
    for read_set in read:
        here, there = read_set.of(at, baseline)
        words[here.label] = weighting_words(here, there, read_set.pairs[at].tasks)
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return " ".join(f"{label}: {sentence}" for label, sentence in words.items() if sentence)


def _differences(here: Column, baseline: Column) -> list[ColumnDifference]:
    return [
        ColumnDifference(name=difference.name, baseline=difference.baseline, here=difference.here)
        for difference in differences(_target(baseline), _target(here))
    ]


def _target(column: Column) -> PairedTarget:
    return PairedTarget(column.target_id, column.label, column.provider_name, column.model, column.settings)
