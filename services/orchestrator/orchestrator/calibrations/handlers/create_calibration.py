"""Measure a judge of a run against the labels of people, and store the calibration."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from llmbench.contracts.annotation_words import AnnotationStatus
from llmbench.errors import FieldError, Problem
from orchestrator.calibrations.domain.answers import Fault, JudgedAnswer, LabelRow, Labels, match
from orchestrator.calibrations.domain.questions import NoQuestion, question_of
from orchestrator.calibrations.domain.scale import (
    LabelScale,
    consensus_of,
    judge_value,
    label_scale,
    whole_levels,
)
from orchestrator.calibrations.handlers.refusals import bad_labels, no_task
from orchestrator.calibrations.ports.schemas import (
    BasisOut,
    CalibrationFigures,
    CorrectedOut,
    LabelSource,
    MeasureOut,
    MeasuresOut,
    PartOut,
    TransportedOut,
    WorstOut,
)
from orchestrator.calibrations.ports.store import (
    MOST_ANSWERS_OF_RUN,
    AnnotationTask,
    AnswerRow,
    CalibrationStore,
    LabelReader,
    NewCalibration,
    RunGone,
    RunJudge,
    RunToMeasure,
)
from orchestrator.kernel.domain.refusal import invalid, no_run

if TYPE_CHECKING:
    from orchestrator.calibrations.domain.figures import Figures, LabelledAnswer

MOST_LABELLED: Final = 5_000
"""The maximum number of labelled answers of a calibration. It is limited because intervals need 1,000 resamples."""
# Measure one judge at a time, because all answers of its run are held in memory.
_ONE_AT_A_TIME: Final = asyncio.Semaphore(1)


@dataclass(frozen=True)
class GivenRows:
    """Labels that came with the request: rows, and the errors of rows that could not be read."""

    rows: Sequence[LabelRow]
    faults: Sequence[Fault] = ()
    file_name: str | None = None


@dataclass(frozen=True)
class WantedCalibration:
    """A request to compare a judge of a run with labels: those of an annotation task, or those that came with the
    request (`given`)."""

    name: str | None
    run_id: UUID | None
    revision_id: UUID | None
    annotation_task_id: UUID | None
    field: str | None
    values: Mapping[str, float] | None
    scale: tuple[float, float] | None
    pass_mark: float | None
    given: GivenRows | None


@dataclass(frozen=True)
class CalibrationParts:
    store: CalibrationStore
    reader: LabelReader


@dataclass(frozen=True)
class _Sources:
    labels: Sequence[Labels]
    scale: LabelScale
    source: LabelSource
    is_own_sample: bool
    gold: frozenset[UUID] = frozenset()
    """The answers whose labels were known before. They measure people, not the judge."""


async def create_calibration(parts: CalibrationParts, wanted: WantedCalibration) -> UUID:
    """Create a calibration and return its id.

    Raises a `Problem`. Status 404: there is no such run or task. Status 409: the run or the task is unfinished or was
    deleted. Status 422: the request cannot be used, for example because a label fits no answer of the run.
    """
    reader = parts.reader
    task = await _task(reader, wanted)
    run = await _run(reader, wanted, task)
    judge = _judge(run, wanted.revision_id)
    async with _ONE_AT_A_TIME:
        new = await _measured(reader, wanted, task, run, judge)
    try:
        return await parts.store.create(new)
    except RunGone:
        raise Problem(409, "Gone", "The run or the annotation task was deleted meanwhile.") from None


async def _measured(
    reader: LabelReader, wanted: WantedCalibration, task: AnnotationTask | None, run: RunToMeasure, judge: RunJudge
) -> NewCalibration:
    answers = await reader.answers(run.id, judge.revision_id)
    if len(answers) > MOST_ANSWERS_OF_RUN:
        message = f"the run has more than {MOST_ANSWERS_OF_RUN:,} answers"
        raise invalid([FieldError("run_id", message)], "calibration")
    if task is None:
        sources = await asyncio.to_thread(_of_rows, wanted, judge, answers)
    else:
        sources = await _of_task(reader, wanted, judge, task)
    labelled, unscored = await asyncio.to_thread(_labelled, sources, answers)
    _check_count(len(labelled), unscored)
    lengths = await reader.lengths(run.id, [each.answer.item_id for each in labelled])
    # Loading numpy and scipy takes a second, and resampling several.
    computed = await asyncio.to_thread(_compute, labelled, lengths, answers, sources)
    shown = await _shown(reader, run, judge, computed, {each.answer.item_id: each for each in labelled})
    return NewCalibration(
        name=wanted.name or _name(judge, run),
        run=run,
        judge=judge,
        annotation_task_id=None if task is None else task.id,
        source=sources.source.model_copy(update={"unscored": unscored}),
        scale=sources.scale,
        figures=shown,
        answers=[_row(each) for each in labelled],
    )


async def _task(reader: LabelReader, wanted: WantedCalibration) -> AnnotationTask | None:
    if wanted.annotation_task_id is None:
        return None
    task = await reader.task(wanted.annotation_task_id)
    if task is None:
        raise no_task(wanted.annotation_task_id)
    if task.source is None or task.source.get("pairs"):
        what = "pairs of answers" if task.source else "cases of a dataset, not answers of a run"
        message = f"people labelled {what}: only labels of single answers can be compared with scores"
        raise invalid([FieldError("annotation_task_id", message)], "calibration")
    if wanted.run_id is not None and str(wanted.run_id) != task.source.get("run_id"):
        message = "is another run than that of the annotation task; leave it out"
        raise invalid([FieldError("run_id", message)], "calibration")
    if task.status != AnnotationStatus.COMPLETED:
        message = f"The annotation task '{task.name}' is {task.status}. Complete it first: its labels still change."
        raise Problem(409, "Not completed", message)
    return task


async def _run(reader: LabelReader, wanted: WantedCalibration, task: AnnotationTask | None) -> RunToMeasure:
    run_id = wanted.run_id if task is None or task.source is None else UUID(str(task.source["run_id"]))
    if run_id is None:
        raise invalid([FieldError("run_id", "is missing: the run whose answers are labelled")], "calibration")
    run = await reader.run(run_id)
    if run is None and task is not None:
        detail = f"The run whose answers '{task.name}' has was deleted, and with it the scores of its judges."
        raise Problem(409, "Run deleted", f"{detail} Export the labels of the task instead.")
    if run is None:
        raise no_run(run_id)
    if not run.is_over:
        raise Problem(409, "Run goes on", f"The run '{run.name}' goes on. Wait until it is over, or cancel it.")
    return run


def _judge(run: RunToMeasure, revision_id: UUID | None) -> RunJudge:
    """Return the evaluator that the request names. By default, return the run's only primary evaluator with a judge
    model, else its only primary evaluator, else its only evaluator. Raises a 422 `Problem` if none of these exists.

    The last default is for a judge some of whose scores people overruled. Then the copy with people's scores is
    primary, and `run.judges` has only the judge's own evaluator.
    """
    listed = ", ".join(f"{each.title} {each.revision_id}" for each in run.judges[:10])
    if revision_id is not None:
        for judge in run.judges:
            if judge.revision_id == revision_id:
                return judge
        message = f"is no evaluator of the run; it has {listed}"
        raise invalid([FieldError("evaluator_revision_id", message)], "calibration")
    primary = [each for each in run.judges if each.is_primary]
    with_model = [each for each in primary if each.judge_model is not None]
    for candidates in (with_model, primary, run.judges):
        if len(candidates) == 1:
            return candidates[0]
    message = f"name one of the run's evaluators: {listed}" if listed else "the run has no evaluator"
    raise invalid([FieldError("evaluator_revision_id", message)], "calibration")


def _name(judge: RunJudge, run: RunToMeasure) -> str:
    by = f"{judge.title} by {judge.judge_model}" if judge.judge_model else judge.title
    return f"{by}, {run.name}"[:255]


def _scale(levels: Sequence[float], judge: RunJudge, wanted: WantedCalibration) -> LabelScale:
    scale = label_scale(levels, judge.scale, wanted.pass_mark)
    if scale is None:
        message = "is missing: the evaluator has no pass mark, so say from which label an answer passes"
        raise invalid([FieldError("pass_mark", message)], "calibration")
    if not scale.low < scale.pass_mark <= scale.high and wanted.pass_mark is not None:
        message = f"must be above {scale.low:g} and at most {scale.high:g}"
        raise invalid([FieldError("pass_mark", message)], "calibration")
    return scale


async def _of_task(reader: LabelReader, wanted: WantedCalibration, judge: RunJudge, task: AnnotationTask) -> _Sources:
    try:
        question = question_of(task.schema, wanted.field, wanted.values)
    except NoQuestion as error:
        raise invalid([FieldError(error.field, str(error))], "calibration") from None
    scale = _scale(list(question.numbers.values()), judge, wanted)
    every = await reader.labels(task.id)
    given = [item for item in every if not item.is_gold]
    labels: list[Labels] = []
    for item in given:
        numbers = {name: number for name, each in item.labels.items() if (number := question.number(each)) is not None}
        decision = question.number(item.decision) if item.decision is not None else None
        if numbers:
            labels.append(Labels(item.item_id, numbers, decision, item.is_audit))
    source = LabelSource(
        kind="TASK", name=task.name, field=question.name, audit_items=sum(item.is_audit for item in given)
    )
    gold = frozenset(item.item_id for item in every if item.is_gold)
    return _Sources(labels, scale, source, is_own_sample=True, gold=gold)


def _of_rows(wanted: WantedCalibration, judge: RunJudge, answers: Sequence[JudgedAnswer]) -> _Sources:
    given = wanted.given or GivenRows(())
    ends = wanted.scale or (judge.scale.low, judge.scale.high)
    levels = whole_levels(*ends)
    if levels is None:
        message = "give the whole numbers `min` and `max` of the labels: the evaluator's own scale has no levels"
        raise invalid([FieldError("scale", message)], "calibration")
    scale = _scale(levels, judge, wanted)
    matched = match(given.rows, answers)
    off = [Fault(row.line, "label", _expected(scale, row)) for row in given.rows if not _fits(row, scale)]
    if faults := [*given.faults, *matched.faults, *off]:
        raise bad_labels(faults, len(given.rows) + len(given.faults))
    kind = "REQUEST" if given.file_name is None else "FILE"
    return _Sources(matched.labels, scale, LabelSource(kind=kind, name=given.file_name), is_own_sample=False)


def _fits(row: LabelRow, scale: LabelScale) -> bool:
    if row.is_word and not scale.has_words:
        return False
    return row.label in scale.levels if scale.is_pass_fail else scale.holds(row.label)


def _expected(scale: LabelScale, row: LabelRow) -> str:
    if row.is_word:
        return f"is a word, and the labels are from {scale.low:g} to {scale.high:g}: for words, set `scale` to 0 and 1"
    if scale.is_pass_fail:
        return f"must be {scale.low:g} or {scale.high:g}; `scale` names other labels"
    return f"must be from {scale.low:g} to {scale.high:g}; `scale` names another range"


def _labelled(sources: _Sources, answers: Sequence[JudgedAnswer]) -> "tuple[list[LabelledAnswer], int]":
    from orchestrator.calibrations.domain.figures import LabelledAnswer

    by_id = {answer.item_id: answer for answer in answers}
    labelled: list[LabelledAnswer] = []
    unscored = 0
    for each in sources.labels:
        answer = by_id.get(each.item_id)
        if answer is None or answer.normalised is None:
            unscored += 1
            continue
        labelled.append(
            LabelledAnswer(
                answer=answer,
                judge=judge_value(sources.scale, answer.normalised, answer.passed),
                consensus=consensus_of(each.labels, each.decision),
                labels=each.labels,
                is_audit=each.is_audit,
            )
        )
    return labelled, unscored


def _check_count(labelled: int, unscored: int) -> None:
    if not labelled:
        message = f"The judge scored none of the {unscored} labelled answers." if unscored else "There is no label."
        raise Problem(422, "Nothing to compare", message)
    if labelled > MOST_LABELLED:
        message = f"There are labels of {labelled:,} answers; a calibration takes {MOST_LABELLED:,}."
        raise Problem(422, "Too many labels", message)


def _compute(
    labelled: "Sequence[LabelledAnswer]",
    lengths: Mapping[UUID, int],
    answers: Sequence[JudgedAnswer],
    sources: _Sources,
) -> "Figures":
    from dataclasses import replace

    from orchestrator.calibrations.domain.figures import figures

    measured = [replace(each, length=lengths.get(each.answer.item_id, 0)) for each in labelled]
    # The random slice is drawn from the other answers, so it says nothing about gold answers.
    drawn_from = [each for each in answers if each.item_id not in sources.gold]
    return figures(measured, drawn_from, sources.scale, is_own_sample=sources.is_own_sample)


async def _shown(
    reader: LabelReader,
    run: RunToMeasure,
    judge: RunJudge,
    computed: "Figures",
    labelled: "Mapping[UUID, LabelledAnswer]",
) -> CalibrationFigures:
    measured = computed.measured
    ids = [UUID(case.item) for case in measured.worst]
    texts = await reader.texts(run.id, judge.revision_id, ids)
    worst = [
        WorstOut(
            **_place(labelled[id_]),
            labels=dict(labelled[id_].labels),
            **(asdict(texts[id_]) if id_ in texts else dict.fromkeys(("question", "answer", "reason"))),
        )
        for id_ in ids
    ]
    return CalibrationFigures(
        judge=MeasuresOut.model_validate(measured.judge),
        alpha_with_judge=MeasureOut.model_validate(measured.alpha_with_judge),
        people=MeasuresOut.model_validate(measured.people),
        alpha_of_people=MeasureOut.model_validate(measured.alpha_of_people),
        by_category=_parts(measured.by_category),
        by_length=_parts(measured.by_length),
        confusion=measured.confusion,
        worst=worst,
        corrected=[CorrectedOut.model_validate(each) for each in computed.corrected],
        transported=[TransportedOut.model_validate({**vars(each), **vars(each.rate)}) for each in computed.transported],
        of_pass_rate=BasisOut.model_validate(computed.of_pass_rate),
        of_mean=BasisOut.model_validate(computed.of_mean),
        verdict_cost_usd=await reader.verdict_cost(run.id, judge.revision_id),
    )


def _parts(parts: Mapping[str, object]) -> list[PartOut]:
    return [PartOut(name=name, measures=MeasuresOut.model_validate(each)) for name, each in parts.items()]


def _place(each: "LabelledAnswer") -> dict[str, Any]:
    answer = each.answer
    return {
        "item_id": answer.item_id,
        "target": answer.target,
        "task_id": answer.task_id,
        "epoch": answer.epoch,
        "judge": each.judge,
        "consensus": each.consensus,
    }


def _row(each: "LabelledAnswer") -> AnswerRow:
    return AnswerRow(**_place(each), labels=each.labels, is_audit=each.is_audit)
