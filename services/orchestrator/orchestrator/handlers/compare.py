"""Compare columns: find them, let the database pair their cases, judge the differences."""

import asyncio
from collections.abc import Sequence

from llmbench.errors import FieldError, Problem
from orchestrator.domain.comparison.verdict import (
    PassEvidence,
    ScoreEvidence,
    judge_metrics,
    judge_passes,
    judge_scores,
)
from orchestrator.ports.comparison import (
    Column,
    ColumnComparison,
    ColumnRef,
    ComparedColumn,
    Comparison,
    ComparisonReader,
    EvaluatorComparison,
    PairedColumn,
    PassComparison,
    ScoreComparison,
)
from orchestrator.ports.schemas import Interval, RunSummary


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


async def compare(reader: ComparisonReader, columns: Sequence[Column], *, baseline: int) -> Comparison:
    """Every column but the baseline against it."""
    return (await compare_all(reader, [columns], baseline=baseline))[0]


async def compare_all(reader: ComparisonReader, sets: Sequence[Sequence[Column]], *, baseline: int) -> list[Comparison]:
    """Several comparisons at once: their verdicts allow for all that is compared."""
    found = [
        await asyncio.gather(
            reader.figures(columns),
            reader.pairs(columns, baseline=baseline),
            reader.evaluator_pairs(columns, baseline=baseline),
        )
        for columns in sets
    ]
    # scipy's first import and a bootstrap take their time, which is not the event loop's.
    evidence = iter(
        await asyncio.to_thread(_evidence, [pairs for _, (_, paired), _ in found for pairs in paired.values()])
    )
    by_evaluator = [pairs for _, _, sharing in found for shared in sharing.values() for pairs in shared]
    metrics = iter(
        await asyncio.to_thread(judge_metrics, [(pairs.differences, pairs.evaluator.gates) for pairs in by_evaluator])
    )
    return [
        Comparison(
            columns=[
                ComparedColumn(**column.model_dump(), figures=of_column)
                for column, of_column in zip(columns, of_set, strict=True)
            ],
            baseline=baseline,
            cases=total,
            comparisons=[
                _comparison(
                    at,
                    columns[at],
                    columns[baseline],
                    pairs,
                    *next(evidence),
                    evaluators=[
                        EvaluatorComparison(**one.evaluator.model_dump(), score=_score(next(metrics)))
                        for one in sharing[at]
                    ],
                )
                for at, pairs in paired.items()
            ],
        )
        for columns, (of_set, (total, paired), sharing) in zip(sets, found, strict=True)
    ]


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


def _evidence(paired: Sequence[PairedColumn]) -> list[tuple[ScoreEvidence, PassEvidence]]:
    scores = judge_scores([pairs.differences for pairs in paired])
    return list(zip(scores, judge_passes([pairs.passes for pairs in paired]), strict=True))


def _comparison(  # what there is of one column
    at: int,
    here: Column,
    baseline: Column,
    pairs: PairedColumn,
    score: ScoreEvidence,
    passes: PassEvidence,
    *,
    evaluators: list[EvaluatorComparison],
) -> ColumnComparison:
    note = judges_differ(here, baseline)
    return ColumnComparison(
        column=at,
        cases_in_both=pairs.cases_in_both,
        only_baseline=pairs.only_baseline,
        only_here=pairs.only_here,
        questions_differ=pairs.questions_differ,
        missing=pairs.cases_in_both + pairs.only_baseline + pairs.only_here - pairs.compared,
        score=None if note else _score(score),
        passes=None if note else _passes(passes),
        note=note,
        evaluators=evaluators,
    )


def judges_differ(here: Column, baseline: Column) -> str | None:
    """Why the scores of the two are not to be compared; `None` where they are."""
    if here.judge is None or baseline.judge is None:
        return "No judge has been asked about the whole of both runs: there are no scores to compare."
    if here.judge.scoring == baseline.judge.scoring:
        return None
    one, other = (judge.judge_model or judge.kind for judge in (here.judge, baseline.judge))
    if here.judge.kind != baseline.judge.kind:
        judges = f"{here.judge.kind}, and {baseline.judge.kind}"
    elif one != other:
        judges = f"{one} and {other}"
    else:
        judges = f"{one}, but of another provider or with other instructions"
    return (
        f"Two different measures scored these runs ({judges}). Their scores are not comparable: "
        "have one run scored by the other's evaluators."
    )


def _score(found: ScoreEvidence) -> ScoreComparison:
    differences = found.differences
    return ScoreComparison(
        cases=differences.cases,
        better=differences.better,
        worse=differences.worse,
        equal=differences.cases - differences.better - differences.worse,
        mean=found.mean,
        interval=Interval(low=found.interval[0], high=found.interval[1]) if found.interval else None,
        p=found.p,
        p_adjusted=found.p_adjusted,
        verdict=found.verdict,
        cases_needed=found.cases_needed,
    )


def _passes(found: PassEvidence) -> PassComparison:
    return PassComparison(
        cases=found.passes.cases,
        gained=found.passes.gained,
        lost=found.passes.lost,
        rate_difference=found.rate_difference,
        p=found.p,
        p_adjusted=found.p_adjusted,
        verdict=found.verdict,
    )
