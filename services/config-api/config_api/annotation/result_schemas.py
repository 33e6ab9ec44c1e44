"""Define the responses that show the results of annotation: progress, agreement, items with their labels, exports."""

from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from config_api.annotation.label_schema import Identifier
from config_api.annotation.schemas import CaseToLabel, Labels
from config_api.bodies import Input, OptionalText
from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus
from llmbench.contracts.base import UtcTime


class AnnotatorWork(BaseModel):
    """The work of one annotator in a task. `gold_total` counts the labelled gold items (items with known labels), and
    `gold_right` the right ones among them. `agreement_rate` is the share of labels that equal those of other people."""

    annotator_id: UUID
    name: str
    status: AnnotatorStatus
    annotations_count: int
    skipped: int
    flagged: int
    agreement_rate: float | None
    average_time_seconds: float | None
    gold_total: int
    gold_right: int
    skill: float | None = Field(description="Expected share of right labels (Dawid and Skene), over all fields.")


class CoefficientOut(BaseModel):
    """A coefficient of agreement, with its 95 % interval from a bootstrap over items. The interval is absent below 10
    items, and if the coefficient is undefined for more than a tenth of the resamples."""

    value: float | None
    low: float | None
    high: float | None
    items: int
    undefined_because: str | None


class PairOut(BaseModel):
    """The agreement of two annotators over the items that both labelled: the share of equal labels (`exact`), and
    Cohen's kappa, with quadratic weights for ratings."""

    first: UUID
    second: UUID
    items: int
    exact: float = Field(description="The share of equal labels.")
    kappa: float | None
    undefined_because: str | None


class FieldAgreement(BaseModel):
    """The agreement of annotators on one field of the schema. A field whose labels cannot be compared has no
    coefficients, and `not_measured_because` gives the reason."""

    field: str
    level: Literal["nominal", "ordinal"] | None
    krippendorff_alpha: CoefficientOut | None
    interpretation: str | None
    fleiss_kappa: CoefficientOut | None
    cohens_kappas: list[PairOut] = Field(description="The 100 pairs with the most items in common.")
    not_measured_because: str | None


class AgreementMetrics(BaseModel):
    """The agreement over all items that several people labelled. Krippendorff's alpha and Fleiss' kappa are those of
    the first field whose labels can be compared."""

    krippendorff_alpha: float | None
    fleiss_kappa: float | None
    interpretation: str | None
    undefined_because: str | None
    fields: list[FieldAgreement]


class Progress(BaseModel):
    """The progress of a task: counts of items and labels, agreement, and the work of each annotator."""

    status: AnnotationStatus
    total_items: int
    completed_items: int
    items_with_consensus: int = Field(description="Items whose labels agree at least as much as the threshold asks.")
    consensus_threshold: float
    method: Literal["majority", "dawid_skene"]
    total_annotations: int
    skipped: int
    flagged: int
    surplus: int
    open_leases: int
    decided_items: int
    agreement_metrics: AgreementMetrics
    annotator_stats: list[AnnotatorWork]


class LabelOut(BaseModel):
    """The labels that one annotator gave to an item."""

    annotation_id: UUID
    annotator_id: UUID
    annotator: str
    labels: dict[str, Any]
    time_spent_seconds: int
    skipped: bool
    skip_reason: str | None
    flagged: bool
    flag_reason: str | None
    note: str | None
    surplus: bool
    counts: bool = Field(description="False for skips, surplus labels, and labels of blocked annotators.")
    agreement_score: float | None
    created_at: UtcTime


class FieldConsensus(BaseModel):
    """The label of a field on which people agree. `value` is null if several labels have the most votes. `votes` is the
    number of labels that people gave for the field, whether they agree with `value` or not."""

    field: str
    value: Any
    confidence: float | None
    votes: int
    not_measured_because: str | None


class Decision(Input):
    """The decision of a person who has seen all labels of an item. It replaces the consensus."""

    labels: Labels
    reason: OptionalText = None


class DecisionOut(BaseModel):
    labels: dict[str, Any]
    reason: str | None
    decided_by: UUID | None
    decided_at: UtcTime


class ItemOut(BaseModel):
    """An item with the labels of all annotators, for a person who compares them and may decide which are right."""

    item_id: UUID
    name: str
    position: int
    test_case: CaseToLabel
    is_audit: bool
    gold: dict[str, Any] | None
    done: bool
    labels: list[LabelOut]
    consensus: list[FieldConsensus]
    confidence: float | None = Field(description="The lowest of the fields; null without a label.")
    decision: DecisionOut | None


class ItemPage(BaseModel):
    items: list[ItemOut]
    total: int
    has_more: bool


class ExportIn(Input):
    consensus_threshold: float = Field(default=0.8, ge=0, le=1)
    format: Literal["JSON", "CSV"] = "JSON"
    method: Literal["majority", "dawid_skene"] = "majority"


class Exported(BaseModel):
    """The address from which the file with a task's labels can be downloaded. Each download computes the file again."""

    download_url: str
    expires_at: UtcTime | None = Field(description="Null: the address does not expire, and asks for the usual rights.")
    item_count: int = Field(description="Items with consensus or a decision.")


class VersionFromConsensus(Input):
    """The request body that creates a version of the dataset with the consensus as ground truth. The version is a draft
    unless `publish` is true."""

    consensus_threshold: float = Field(default=0.8, ge=0, le=1)
    method: Literal["majority", "dawid_skene"] = "majority"
    field: Identifier | None = Field(
        default=None, description="The field that is the right answer. By default the first that has a consensus."
    )
    accept: list[str | int] = Field(
        default_factory=list,
        max_length=201,
        description="Answers of a run: the labels of `field` with which an answer becomes the ground truth of its "
        "case. A pair needs none: the better answer does.",
    )
    dataset_version_id: UUID | None = Field(
        default=None, description="The version to start from, where answers belong to cases of several versions."
    )
    publish: bool = False
