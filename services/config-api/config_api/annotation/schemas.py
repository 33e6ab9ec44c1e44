"""Define the bodies and responses of `/v1/annotations`. The field names of the requirement document are kept."""

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, model_validator

from config_api.annotation.label_schema import AnnotationSchema, Identifier, Instructions
from config_api.bodies import Input, Name, OptionalName, OptionalText, Text
from config_api.datasets.schemas import Metadata
from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus
from llmbench.contracts.base import UtcTime
from llmbench.files.values import storable
from llmbench.http.created_by import CreatedBy
from llmbench.http.email_address import Email

MOST_ITEMS = 10_000
MOST_GOLD = 500
MOST_SECONDS = 24 * 60 * 60
DEFAULT_LEASE_S = 15 * 60

Labels = Annotated[dict[Identifier, Any], AfterValidator(storable), Field(max_length=50)]
Note = Annotated[Text, Field(max_length=5_000)]
Word = Annotated[Name, Field(max_length=60)]


class Sampling(Input):
    """Which cases of the version become items. The same seed takes the same cases.

    Conversations are never split, so that a sample may have a few cases more.
    """

    strategy: Literal["random", "stratified"] = "random"
    sample_size: int | None = Field(default=None, ge=1, le=MOST_ITEMS, description="Null: all cases.")
    stratify_by: Name | None = Field(default=None, description="A field of the metadata.")
    filter: Metadata = Field(default_factory=dict, description="Only cases whose metadata contains this.")
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1, description="Null: a random one.")
    audit_share: float = Field(
        default=0.3, ge=0, le=1, description="The share of the items that is drawn at random as the audit slice."
    )

    @model_validator(mode="after")
    def _by_what(self) -> Self:
        if (self.strategy == "stratified") != (self.stratify_by is not None):
            raise ValueError("strategy 'stratified' and stratify_by go together")
        return self


class Gold(Input):
    """A case with known labels. Everybody gets it among the other items, and is not told."""

    case: Name = Field(description="The name of a case of the version.")
    labels: Labels


class TaskIn(Input):
    name: Name
    description: OptionalText = None
    dataset_version_id: UUID
    instructions: Instructions = Field(description="Markdown.")
    annotation_schema: AnnotationSchema
    required_annotations_per_item: int = Field(default=3, ge=1, le=100)
    allow_skip: bool = True
    show_reference: bool = Field(
        default=False, description="Show the expected output to annotators. It influences what they say."
    )
    time_limit_seconds: int | None = Field(default=None, ge=5, le=MOST_SECONDS)
    lease_s: int = Field(
        default=DEFAULT_LEASE_S, ge=5, le=MOST_SECONDS, description="How long an item is held for one person."
    )
    sampling_config: Sampling = Field(default_factory=Sampling)
    gold: list[Gold] = Field(default_factory=list, max_length=MOST_GOLD)


class TaskPatch(Input):
    """The request body that changes a task. Missing fields stay unchanged. What is asked never changes."""

    # Missing fields are ignored, so these defaults are never used. Factories keep them out of OpenAPI.
    name: Name = Field(default_factory=str)
    description: OptionalText = None
    instructions: Instructions = Field(default_factory=str)
    lease_s: int = Field(default_factory=int, ge=5, le=MOST_SECONDS)
    time_limit_seconds: int | None = Field(default=None, ge=5, le=MOST_SECONDS)


class TaskOut(BaseModel):
    """An annotation task. `version` grows by one with each change of its properties; it is the ETag."""

    task_id: UUID
    dataset_version_id: UUID | None = Field(description="Null: the dataset was deleted. The items stay.")
    name: str
    description: str | None
    instructions: str
    annotation_schema: AnnotationSchema
    required_annotations_per_item: int
    allow_skip: bool
    show_reference: bool
    time_limit_seconds: int | None
    lease_s: int
    sampling_config: Sampling
    status: AnnotationStatus
    total_items: int = Field(description="Without gold items.")
    completed_items: int
    version: int
    created_at: UtcTime
    created_by: CreatedBy = None
    updated_at: UtcTime
    completed_at: UtcTime | None


class TaskPage(BaseModel):
    tasks: list[TaskOut]
    total: int
    has_more: bool


class AnnotatorIn(Input):
    name: Name
    email: Email | None = None
    expertise_tags: list[Word] = Field(default_factory=list, max_length=50)
    languages: list[Word] = Field(default_factory=list, max_length=50)


class AnnotatorPatch(Input):
    """The request body that changes an annotator. Missing fields stay unchanged."""

    name: Name = Field(default_factory=str)
    email: Email | None = None
    expertise_tags: list[Word] = Field(default_factory=list, max_length=50)
    languages: list[Word] = Field(default_factory=list, max_length=50)
    status: AnnotatorStatus = AnnotatorStatus.ACTIVE


class AnnotatorOut(BaseModel):
    """An annotator.

    `quality_score` is the share of gold items labelled right, with one right and one wrong added: .5 without any.
    """

    annotator_id: UUID
    user_id: UUID | None = Field(description="The person who signs in; null for somebody else.")
    name: str
    email: str | None
    expertise_tags: list[str]
    languages: list[str]
    status: AnnotatorStatus
    quality_score: float
    total_annotations: int
    agreement_rate: float | None = Field(
        description="The share of other people's labels that were the same. Null until a task is completed or exported."
    )
    version: int
    created_at: UtcTime
    updated_at: UtcTime


class AnnotatorPage(BaseModel):
    annotators: list[AnnotatorOut]
    total: int
    has_more: bool


class CaseToLabel(BaseModel):
    input: dict[str, Any]
    output: str | None = Field(description="The answer of a model; null where only the case is labelled.")
    reference: str | None = Field(description="The expected output, where the task shows it.")


class NextItem(BaseModel):
    """The item that this person labels now. It is theirs until `leased_until`."""

    item_id: UUID
    test_case: CaseToLabel
    annotation_schema: AnnotationSchema
    instructions: str
    position: int = Field(description="The number of this item among those of this person, from 1 on.")
    total_remaining: int = Field(
        description="Items that lack labels and that this person did not label, this one included."
    )
    leased_until: UtcTime
    draft: dict[str, Any] | None = Field(description="Labels that were saved and not submitted yet.")
    allow_skip: bool
    time_limit_seconds: int | None


class AnnotationIn(Input):
    """The labels of an item, or the reason for giving none."""

    labels: Labels = Field(default_factory=dict)
    time_spent_seconds: int = Field(default=0, ge=0, le=MOST_SECONDS)
    skipped: bool = False
    skip_reason: OptionalName = None
    flagged: bool = False
    flag_reason: OptionalName = None
    note: Note | None = None

    @model_validator(mode="after")
    def _either(self) -> Self:
        if self.skipped and self.labels:
            raise ValueError("a skipped item has no labels")
        if self.skipped and self.skip_reason is None:
            raise ValueError("say why the item is skipped: skip_reason")
        if self.flagged and self.flag_reason is None:
            raise ValueError("say why the item is flagged: flag_reason")
        return self


class Draft(Input):
    labels: Labels


class Saved(BaseModel):
    leased_until: UtcTime


class Submitted(BaseModel):
    """The stored labels, and the next item for this person."""

    annotation_id: UUID
    surplus: bool = Field(description="The item had all its labels already. These are kept, and do not count.")
    next_item_id: UUID | None
    next: NextItem | None


class Undone(BaseModel):
    """The item whose labels were taken back, which is this person's again."""

    item: NextItem


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
    """How much people agree about one field. A field of another kind says why it has no coefficient."""

    field: str
    level: Literal["nominal", "ordinal"] | None
    krippendorff_alpha: CoefficientOut | None
    interpretation: str | None
    fleiss_kappa: CoefficientOut | None
    cohens_kappas: list[PairOut] = Field(description="The 100 pairs with the most items in common.")
    not_measured_because: str | None


class AgreementMetrics(BaseModel):
    """Agreement over the items with several labels. The two figures are those of the first field that has them."""

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
    """What one annotator said about an item."""

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
    """What people agree on in one field; `value` is null where votes are tied."""

    field: str
    value: Any
    confidence: float | None
    votes: int
    not_measured_because: str | None


class Decision(Input):
    """What somebody decides about an item, having seen all labels."""

    labels: Labels
    reason: OptionalText = None


class DecisionOut(BaseModel):
    labels: dict[str, Any]
    reason: str | None
    decided_by: UUID | None
    decided_at: UtcTime


class ItemOut(BaseModel):
    """An item with everybody's labels, for those who decide."""

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
    """Where the file is. It is made anew at each download."""

    download_url: str
    expires_at: UtcTime | None = Field(description="Null: the address does not expire, and asks for the usual rights.")
    item_count: int = Field(description="Items with consensus or a decision.")


class VersionFromConsensus(Input):
    """The request body that makes a version of the dataset whose ground truth is what people agree on."""

    consensus_threshold: float = Field(default=0.8, ge=0, le=1)
    method: Literal["majority", "dawid_skene"] = "majority"
    field: Identifier | None = Field(
        default=None, description="The field that is the right answer. By default the first that has a consensus."
    )
    publish: bool = False
