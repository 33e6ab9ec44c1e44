"""The responses of `/api/calibrations`; the figures are stored in this form, too."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from llmbench.contracts.base import UtcTime
from llmbench.http.created_by import CreatedBy


class _Shown(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class MeasureOut(_Shown):
    """A figure of agreement, such as an accuracy or a correlation, over `answers` answers, with its 95 % interval. The
    interval is null with too few answers."""

    value: float | None
    answers: int
    low: float | None
    high: float | None
    undefined_because: str | None = Field(description="Why `value` is null.")


class MeasuresOut(_Shown):
    """The agreement of a judge with the consensus of people, or that of each person with the other people."""

    kappa: MeasureOut = Field(description="Cohen's quadratic kappa.")
    spearman: MeasureOut
    bias: MeasureOut = Field(description="Mean of rater minus people, in the unit of the labels. Positive: generous.")
    mean_error: float | None = Field(description="Mean distance of rater and people, in the unit of the labels.")
    exact: MeasureOut = Field(description="The share of equal levels.")
    within_one: MeasureOut = Field(description="The share of levels that differ by one at most.")
    sensitivity: MeasureOut = Field(description="The share of answers that people pass which the rater passes.")
    specificity: MeasureOut = Field(description="The share of answers that people fail which the rater fails.")


class PartOut(_Shown):
    """The judge's agreement with people on a part of the answers: those of a category, or a third of them by length."""

    name: str
    measures: MeasuresOut


class WorstOut(_Shown):
    """An answer on which judge and people differ much. Long texts are shortened; a missing text is null."""

    item_id: UUID
    target: str
    task_id: str
    epoch: int
    judge: float
    consensus: float
    labels: dict[str, float]
    question: str | None
    answer: str | None
    reason: str | None = Field(description="The judge's own reason.")


class CorrectedFigure(_Shown):
    """A mean over all answers, estimated from the judge's scores and the labels of the random slice: those answers of
    the annotation task that were drawn at random.

    `raw` is the judge's own mean. `weight` (0…1) says how much the judge's scores count in the estimate. `low` and
    `high` are a 95 % interval; they are null with fewer than 10 labelled clusters.
    """

    value: float
    raw: float
    weight: float
    labels: int
    clusters: int
    low: float | None
    high: float | None


class CorrectedOut(_Shown):
    """The judge's pass rate and mean score of one target, corrected by people's labels. Only the run with the labelled
    answers has such figures."""

    target_id: UUID
    target: str
    answers: int = Field(description="Answers that the judge scored, without gold answers.")
    audited: int = Field(description="Answers of the random slice that people labelled.")
    pass_rate: CorrectedFigure | None
    mean: CorrectedFigure | None = Field(description="In the unit of the labels; null where labels only pass or fail.")
    undefined_because: str | None


class TransportedOut(_Shown):
    """The judge's pass rate of one target, corrected by labels that came with the request, not from an annotation task
    (Rogan and Gladen). They are no random sample, so the correction assumes transport: that the judge errs on all
    answers as often as on the labelled ones.

    `raw` is the judge's own pass rate. `low` and `high` are the 95 % interval of Lang and Reiczigel, which takes
    answers as independent.
    """

    target_id: UUID
    target: str
    answers: int = Field(description="Answers that the judge scored.")
    raw: float
    value: float | None
    low: float | None
    high: float | None
    undefined_because: str | None = Field(description="Why `value` is null.")
    assumes_transport: Literal[True] = True


class BasisOut(_Shown):
    """The figures from which the number of labels is planned: the correlation of judge and people, and the standard
    deviation of the labels (`spread`). Each is null if it is undefined."""

    correlation: float | None
    spread: float | None


class CalibrationFigures(BaseModel):
    """The agreement of the judge with people, and that of people among themselves. No judge can agree with people more
    than they do with each other."""

    judge: MeasuresOut
    alpha_with_judge: MeasureOut = Field(description="Krippendorff's ordinal alpha, the judge as one more rater.")
    people: MeasuresOut = Field(description="Each person against the median of the others.")
    alpha_of_people: MeasureOut
    by_category: list[PartOut]
    by_length: list[PartOut]
    confusion: list[list[int]] = Field(
        description="`confusion[i][j]` counts answers that people put at level i and the judge at level j."
    )
    worst: list[WorstOut]
    corrected: list[CorrectedOut] = Field(description="Empty where no labels of this run are a random sample.")
    transported: list[TransportedOut] = Field(
        default=[], description="Empty for the labels of an annotation task, and for figures made before it existed."
    )
    of_pass_rate: BasisOut
    of_mean: BasisOut
    verdict_cost_usd: float | None = Field(description="The mean cost of a verdict of the judge.")


class JudgeOut(BaseModel):
    """The judge: an evaluator revision. A change of its model, prompt or schema makes it another judge."""

    evaluator_revision_id: UUID
    title: str
    kind: str
    judge_model: str | None
    prompt_hash: str
    schema_name: str
    schema_version: str


class LabelSource(BaseModel):
    """The origin of a calibration's labels: an annotation task, a file, or the request itself."""

    kind: Literal["TASK", "FILE", "REQUEST"]
    name: str | None = Field(description="The name of the annotation task, or of the file.")
    field: str | None = Field(default=None, description="The question of the annotation task.")
    unscored: int = Field(default=0, description="Labelled answers that the judge did not score; they are left out.")
    audit_items: int = Field(default=0, description="The size of the task's random slice.")


class ScaleOut(BaseModel):
    levels: list[float]
    pass_mark: float


class CalibrationSummary(BaseModel):
    id: UUID
    name: str
    run_id: UUID | None = Field(description="Null: the run was deleted.")
    run_name: str
    judge: JudgeOut
    annotation_task_id: UUID | None
    source: LabelSource
    scale: ScaleOut
    answers: int
    labels: int
    annotators: int
    kappa: MeasureOut
    ceiling: MeasureOut = Field(description="The kappa of people among themselves.")
    bias: MeasureOut
    corrected: list[CorrectedOut]
    created_at: UtcTime
    created_by: CreatedBy = None


class CalibrationOut(CalibrationSummary):
    figures: CalibrationFigures


class CalibrationPage(BaseModel):
    items: list[CalibrationSummary]
    next_cursor: str | None


class JudgeOfRuns(BaseModel):
    """A judge on whose scores the figures of runs are based. If people corrected the scores, it is the judge that gave
    the original scores."""

    evaluator_revision_id: UUID
    title: str
    judge: str = Field(description="Its model, or the size of its panel.")
    run_id: UUID = Field(description="The newest of the runs that it scored.")
    calibration_id: UUID | None = Field(
        description="Its newest calibration; one that was made on these runs comes first. Null: it has none."
    )


class JudgesOfRuns(BaseModel):
    """The judges on whose scores the figures of the requested runs are based. Judges without a calibration come
    first."""

    judges: list[JudgeOfRuns]


class LabelPlanOut(_Shown):
    """A plan to correct a judge's mean or pass rate: how many answers people label, how many only the judge scores, and
    what both cost."""

    labels: int
    others: int = Field(description="Answers that only the judge scores.")
    effective_labels: int = Field(description="The number of labels that would be as precise without a judge.")
    cost: float
    cost_of_people: float = Field(description="The part of the cost that labels have.")
    cost_of_judge: float = Field(description="The part that verdicts have. The judge scores the labelled answers, too.")


class PlannedLabels(BaseModel):
    """The plans for a given interval width and for a given budget. If a plan is null, its `…_impossible_because` says
    why."""

    measure: Literal["pass_rate", "mean"]
    correlation: float | None
    spread: float | None
    answers: int
    label_cost: float
    judge_cost: float
    for_width: LabelPlanOut | None
    width_impossible_because: str | None
    for_budget: LabelPlanOut | None
    budget_impossible_because: str | None
