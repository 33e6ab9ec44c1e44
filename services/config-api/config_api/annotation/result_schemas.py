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
    """The work of one annotator in a task."""

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
    """A coefficient of agreement, with the 95 % interval of a bootstrap over items; absent below 10 items."""

    value: float | None
    low: float | None
    high: float | None
    items: int
    undefined_because: str | None


class PairOut(BaseModel):
    """Cohen's kappa of two annotators, with quadratic weights for ratings."""

    first: UUID
    second: UUID
    items: int
    exact: float = Field(description="The share of equal labels.")
    kappa: float | None
    undefined_because: str | None


class FieldAgreement(BaseModel):
    """The agreement of annotators on one field. If its kind of label has no coefficient, the field gives the reason."""

    field: str
    level: Literal["nominal", "ordinal"] | None
    krippendorff_alpha: CoefficientOut | None
    interpretation: str | None
    fleiss_kappa: CoefficientOut | None
    cohens_kappas: list[PairOut] = Field(description="The 100 pairs with the most items in common.")
    not_measured_because: str | None


class AgreementMetrics(BaseModel):
    """The agreement over all items with several labels. The two coefficients are those of the first field that has
    them."""

    krippendorff_alpha: float | None
    fleiss_kappa: float | None
    interpretation: str | None
    undefined_because: str | None
    fields: list[FieldAgreement]


class Progress(BaseModel):
    """The progress of a task, agreement, and the work of each annotator."""

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
    """The consensus in one field; `value` is null where votes are tied."""

    field: str
    value: Any
    confidence: float | None
    votes: int
    not_measured_because: str | None


class Decision(Input):
    """The decision of a person about an item, made with a view of all labels."""

    labels: Labels
    reason: OptionalText = None


class DecisionOut(BaseModel):
    labels: dict[str, Any]
    reason: str | None
    decided_by: UUID | None
    decided_at: UtcTime


class ItemOut(BaseModel):
    """An item with the labels of all annotators, for the person who decides."""

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
    """The address from which the file is downloaded. Each download computes the file anew."""

    download_url: str
    expires_at: UtcTime | None = Field(description="Null: the address does not expire, and asks for the usual rights.")
    item_count: int = Field(description="Items with consensus or a decision.")


class VersionFromConsensus(Input):
    """The request body that creates a version of the dataset with the consensus as ground truth."""

    consensus_threshold: float = Field(default=0.8, ge=0, le=1)
    method: Literal["majority", "dawid_skene"] = "majority"
    field: Identifier | None = Field(
        default=None, description="The field that is the right answer. By default the first that has a consensus."
    )
    publish: bool = False
