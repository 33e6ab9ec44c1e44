"""The request bodies of `/api/calibrations`."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from orchestrator.runs.api.input import Input

MOST_JSON_LABELS = 10_000
Finite = Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]
Name = Annotated[str, Field(min_length=1, max_length=255)]


class LabelRange(Input):
    """A range of possible labels: the whole numbers from `min` to `max`, at most 201 of them."""

    min: int = Field(ge=-1_000, le=1_000)
    max: int = Field(ge=-1_000, le=1_000)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not 1 <= self.max - self.min <= 200:
            raise ValueError("max must be above min, by at most 200")
        return self


class LabelIn(Input):
    """A label that a person gave to an answer. The answer is named by `item_id` or by its `case`. If the case has
    several answers, `target` and `epoch` say which one is meant."""

    item_id: UUID | None = None
    case: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    target: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    epoch: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    label: Finite | Annotated[str, Field(max_length=60)] | bool = Field(
        description="A number, or a word such as `pass` or `fail`, `yes` or `no` on a scale from 0 to 1."
    )
    annotator: Name = "people"


class RenameCalibration(Input):
    name: Name


class CreateCalibration(Input):
    """The request to compare a judge of a run with people's labels. The labels come from an annotation task, or are
    given in `labels`."""

    name: Name | None = Field(default=None, description="By default the names of the judge and of the run.")
    run_id: UUID | None = Field(default=None, description="By default that of the annotation task.")
    evaluator_revision_id: UUID | None = Field(
        default=None, description="The judge; by default the run's only primary evaluator that has a judge model."
    )
    annotation_task_id: UUID | None = None
    field: Annotated[str, Field(min_length=1, max_length=60)] | None = Field(
        default=None, description="The question of the task. By default its first rating, or else classification."
    )
    values: Annotated[dict[str, Finite], Field(min_length=2, max_length=100)] | None = Field(
        default=None,
        description="The number of each option of a classification. Words such as `pass` and `fail` need none.",
    )
    scale: LabelRange | None = Field(
        default=None, description="The range of labels that are sent; by default the evaluator's own."
    )
    pass_mark: Finite | None = Field(
        default=None, description="The label from which an answer passes; by default the evaluator's own pass mark."
    )
    labels: Annotated[list[LabelIn], Field(min_length=1, max_length=MOST_JSON_LABELS)] | None = Field(
        default=None, description="Labels of people. A form has a file instead."
    )
