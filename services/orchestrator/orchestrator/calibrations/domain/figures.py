"""Compute the figures of a calibration from labelled answers and all scores of the judge.

This module needs numpy and scipy, which the service loads at the first use.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import StatisticsError, correlation, pstdev
from typing import Final
from uuid import UUID

from orchestrator.calibrations.domain.answers import JudgedAnswer
from orchestrator.calibrations.domain.scale import LabelScale, judge_value
from orchestrator.results.domain.calibration.correcting import (
    CorrectedMean,
    Judged,
    Labelled,
    Rate,
    TransportedRate,
    corrected_mean,
    transported_rate,
)
from orchestrator.results.domain.calibration.measuring import Calibration, Case, Scale, calibration

MOST_CATEGORIES: Final = 30
WORST: Final = 20


@dataclass(frozen=True)
class LabelledAnswer:
    """An answer that people labelled and the judge scored. `judge` and `consensus` are on the scale of the labels."""

    answer: JudgedAnswer
    judge: float
    consensus: float
    labels: Mapping[str, float]
    is_audit: bool
    length: int = 0


@dataclass(frozen=True)
class Corrected:
    """The judge's pass rate and mean of one target, corrected by the labels of the annotation task's random slice.
    `undefined_because` gives the reason if a figure is null.

    `audited` is the number of answers of the target that are in the random slice and were labelled by people.
    """

    target_id: UUID
    target: str
    answers: int
    audited: int
    pass_rate: CorrectedMean | None
    mean: CorrectedMean | None
    undefined_because: str | None


@dataclass(frozen=True)
class Transported:
    """The judge's pass rate of one target, corrected by imported labels. It assumes that the judge errs on all answers
    as often as on the labelled ones. `raw` is the judge's own pass rate of its `answers` scored answers."""

    target_id: UUID
    target: str
    answers: int
    raw: float
    rate: TransportedRate


@dataclass(frozen=True)
class Basis:
    """The figures from which the number of labels is planned: the correlation of judge and people, and the standard
    deviation of the labels (`spread`). Each is null if it is undefined."""

    correlation: float | None
    spread: float | None


@dataclass(frozen=True)
class Figures:
    measured: Calibration
    corrected: list[Corrected]
    transported: list[Transported]
    of_pass_rate: Basis
    of_mean: Basis


def figures(
    labelled: Sequence[LabelledAnswer], every: Sequence[JudgedAnswer], scale: LabelScale, *, is_own_sample: bool
) -> Figures:
    """Measure the judge, and correct its figures. Labels that are a random sample of the same run (`is_own_sample`)
    need no assumption. With imported labels, it is assumed that the judge errs on all answers as often as on the
    labelled ones.

    `every` has all answers from which the random slice was drawn: those of the run without its gold answers. Raises
    `BadLabels` for a value outside the scale.
    """
    return Figures(
        measured=calibration(_cases(labelled), Scale(scale.levels, scale.pass_mark), worst=WORST),
        corrected=_corrected(labelled, every, scale) if is_own_sample else [],
        transported=[] if is_own_sample else list(_transported(labelled, every, scale)),
        of_pass_rate=_basis([(_passes(each.judge, scale), _passes(each.consensus, scale)) for each in labelled]),
        of_mean=_basis([(each.judge, each.consensus) for each in labelled]),
    )


def _cases(labelled: Sequence[LabelledAnswer]) -> list[Case]:
    counted = Counter(each.answer.category for each in labelled if each.answer.category is not None)
    # Every category is resampled a thousand times, so the smallest ones are left out.
    shown = {name for name, _ in counted.most_common(MOST_CATEGORIES)}
    return [
        Case(
            item=str(each.answer.item_id),
            cluster=each.answer.cluster,
            judge=each.judge,
            consensus=each.consensus,
            labels=each.labels,
            category=each.answer.category if each.answer.category in shown else None,
            length=each.length,
        )
        for each in labelled
    ]


def _passes(value: float, scale: LabelScale) -> float:
    return float(value >= scale.pass_mark)


def _basis(pairs: Sequence[tuple[float, float]]) -> Basis:
    if len(pairs) < 3:
        return Basis(None, None)
    spread = pstdev([human for _, human in pairs])
    try:
        return Basis(correlation([judge for judge, _ in pairs], [human for _, human in pairs]), spread)
    except StatisticsError:  # one of the two has no spread
        return Basis(None, spread)


def _corrected(labelled: Sequence[LabelledAnswer], every: Sequence[JudgedAnswer], scale: LabelScale) -> list[Corrected]:
    audited = {each.answer.item_id: each for each in labelled if each.is_audit}
    targets: dict[UUID, list[JudgedAnswer]] = {}
    for answer in every:
        targets.setdefault(answer.target_id, []).append(answer)
    labelled_targets = {each.answer.target_id for each in labelled}
    return [
        _of_target([each for each in answers if each.normalised is not None], audited, scale)
        for target_id, answers in targets.items()
        if target_id in labelled_targets
    ]


def _transported(
    labelled: Sequence[LabelledAnswer], every: Sequence[JudgedAnswer], scale: LabelScale
) -> Iterator[Transported]:
    verdicts = [(_passes(each.judge, scale) == 1, _passes(each.consensus, scale) == 1) for each in labelled]
    of_passing = [judge for judge, human in verdicts if human]
    of_failing = [judge for judge, human in verdicts if not human]
    scored: dict[tuple[UUID, str], list[float]] = {}
    for answer in every:
        if answer.normalised is not None:
            value = judge_value(scale, answer.normalised, answer.passed)
            scored.setdefault((answer.target_id, answer.target), []).append(_passes(value, scale))
    for (target_id, target), passes in scored.items():
        passed = Rate(int(sum(passes)), len(passes))
        if of_passing and of_failing:
            specificity = Rate(len(of_failing) - sum(of_failing), len(of_failing))
            rate = transported_rate(passed, specificity, Rate(sum(of_passing), len(of_passing)))
        else:
            rate = TransportedRate(None, undefined_because=f"people {'passed' if of_passing else 'failed'} all of them")
        yield Transported(target_id, target, passed.total, passed.value, rate)


def _of_target(answers: Sequence[JudgedAnswer], audited: Mapping[UUID, LabelledAnswer], scale: LabelScale) -> Corrected:
    chosen = [audited[answer.item_id] for answer in answers if answer.item_id in audited]
    others = [
        Judged(answer.cluster, judge_value(scale, answer.normalised, answer.passed))
        for answer in answers
        if answer.item_id not in audited and answer.normalised is not None
    ]
    labels = [Labelled(each.answer.cluster, each.judge, each.consensus) for each in chosen]
    pass_rate = corrected_mean(
        [replace(each, judge=_passes(each.judge, scale), human=_passes(each.human, scale)) for each in labels],
        [replace(each, judge=_passes(each.judge, scale)) for each in others],
    )
    mean = None if scale.is_pass_fail else corrected_mean(labels, others)
    because = None
    if pass_rate is None:
        because = (
            "fewer than two cases of the random slice have labels"
            if len({each.cluster for each in labels}) < 2
            else "people labelled every answer, so their own mean needs no correction"
        )
    first = answers[0]
    return Corrected(first.target_id, first.target, len(answers), len(chosen), pass_rate, mean, because)
