"""The ports of calibrations: their store, and the reader of runs, answers, scores and labels."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from orchestrator.calibrations.domain.answers import JudgedAnswer
from orchestrator.calibrations.domain.scale import JudgeScale, LabelScale
from orchestrator.calibrations.ports.schemas import (
    CalibrationFigures,
    CalibrationOut,
    CalibrationSummary,
    JudgeOfRuns,
    LabelSource,
)

MOST_ANSWERS_OF_RUN = 200_000
"""The maximum number of answers of a run on which a judge can be calibrated."""


@dataclass(frozen=True)
class RunJudge:
    """An evaluator of a run. `judge_model` is `None` if the evaluator asks no model. `is_primary` is true if its scores
    count in the run's figures."""

    revision_id: UUID
    title: str
    judge_model: str | None
    scale: JudgeScale
    is_primary: bool


@dataclass(frozen=True)
class RunToMeasure:
    """A run with its evaluators in the order of the run, including the members of panels."""

    id: UUID
    name: str
    is_over: bool
    judges: Sequence[RunJudge]


@dataclass(frozen=True)
class GivenLabels:
    """The labels of one item of an annotation task, as people gave them, by the person's name. `is_gold` is true if the
    right labels were known before: these labels test the people, not the judge. `is_audit` is true if the item was
    drawn at random."""

    item_id: UUID
    is_audit: bool
    is_gold: bool
    decision: Mapping[str, Any] | None
    labels: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class AnnotationTask:
    """An annotation task. `source` is null if its items are not answers of a run."""

    id: UUID
    name: str
    status: str
    schema: Mapping[str, Any]
    source: Mapping[str, Any] | None


@dataclass(frozen=True)
class Texts:
    """The texts of an answer: its question, the answer itself, and the judge's reason. Long texts are shortened; a
    missing text is null."""

    question: str | None
    answer: str | None
    reason: str | None


@dataclass(frozen=True)
class AnswerRow:
    """A labelled answer as it is stored and exported. `judge` is the judge's score and `consensus` that of people, both
    on the scale of the labels."""

    item_id: UUID
    target: str
    task_id: str
    epoch: int
    judge: float
    consensus: float
    labels: Mapping[str, float]
    is_audit: bool


@dataclass(frozen=True)
class NewCalibration:
    name: str
    run: RunToMeasure
    judge: RunJudge
    annotation_task_id: UUID | None
    source: LabelSource
    scale: LabelScale
    figures: CalibrationFigures
    answers: Sequence[AnswerRow]


@dataclass(frozen=True)
class CalibrationFilter:
    """A filter of calibrations. `run_id` selects the calibrations of the judges that scored this run, including
    calibrations that were measured on another run."""

    run_id: UUID | None = None
    evaluator_revision_id: UUID | None = None
    annotation_task_id: UUID | None = None


class LabelReader(Protocol):
    async def run(self, run_id: UUID) -> RunToMeasure | None: ...

    async def task(self, task_id: UUID) -> AnnotationTask | None: ...

    async def labels(self, task_id: UUID) -> list[GivenLabels]:
        """Return the items of a task that are answers of a run, also those without labels. Labels that do not count
        are left out: skipped and surplus ones, and those of blocked annotators."""
        ...

    async def answers(self, run_id: UUID, revision_id: UUID) -> list[JudgedAnswer]:
        """Return the answers of the run with the scores of one evaluator revision.

        At most `MOST_ANSWERS_OF_RUN` + 1 answers are returned, so that the caller notices if there are too many.
        """
        ...

    async def texts(self, run_id: UUID, revision_id: UUID, item_ids: Sequence[UUID]) -> dict[UUID, Texts]: ...

    async def lengths(self, run_id: UUID, item_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the lengths of answers in characters."""
        ...

    async def verdict_cost(self, run_id: UUID, revision_id: UUID) -> float | None: ...


class CalibrationStore(Protocol):
    async def create(self, new: NewCalibration) -> UUID:
        """Store the calibration and return its id. Raises `RunGone` if the run or the task was deleted meanwhile."""
        ...

    async def page(self, chosen: CalibrationFilter, *, before: UUID | None, limit: int) -> list[CalibrationSummary]: ...

    async def judges(self, run_ids: Sequence[UUID]) -> list[JudgeOfRuns]:
        """Return the judges whose scores count in the figures of these runs, each once."""
        ...

    async def get(self, id_: UUID) -> CalibrationOut | None: ...

    async def rename(self, id_: UUID, name: str) -> bool: ...

    async def delete(self, id_: UUID) -> bool: ...

    def answers(self, id_: UUID) -> AsyncIterator[AnswerRow]: ...


class RunGone(Exception):
    """Raised when the run or the annotation task of a new calibration was deleted."""
