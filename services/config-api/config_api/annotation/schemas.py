"""Define the bodies and responses of `/v1/annotations`. The field names are those of docs/requirements.md."""

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, model_validator

from config_api.annotation.label_schema import AnnotationSchema, Identifier, Instructions
from config_api.bodies import Input, Name, OptionalName, OptionalText, Text
from config_api.datasets.schemas import Metadata
from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus, AnswerPriority
from llmbench.contracts.base import UtcTime
from llmbench.files.values import require_storable
from llmbench.http.created_by import CreatedBy
from llmbench.http.email_address import Email

MOST_ITEMS = 10_000
MOST_GOLD = 500
MOST_SECONDS = 24 * 60 * 60
DEFAULT_LEASE_S = 15 * 60

_MOST_LABELS = 150_000
"""The limit of all labels of an item, in characters of JSON. The longest text that a field allows fits."""


def _storable(labels: dict[str, Any]) -> dict[str, Any]:
    require_storable(labels, most=_MOST_LABELS, what="an object of JSON")
    return labels


Labels = Annotated[dict[Identifier, Any], AfterValidator(_storable), Field(max_length=50)]
Note = Annotated[Text, Field(max_length=5_000)]
Word = Annotated[Name, Field(max_length=60)]


class Sampling(Input):
    """The rules by which cases or answers are chosen as items. Equal rules with equal seeds give equal choices.

    Conversations are never split, so a sample may have a few more cases than asked for.
    """

    strategy: Literal["random", "stratified", "priority"] = Field(
        default="random", description="`stratified` is for cases of a dataset, `priority` for answers of a run."
    )
    priority: AnswerPriority | None = Field(
        default=None,
        description="Which answers come first, besides the audit slice: `confidence` (the judge is least certain), "
        "`disagreement` (judges, or targets, differ most), `pass_mark` (the score is nearest to it).",
    )
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
        if (self.strategy == "priority") != (self.priority is not None):
            raise ValueError("strategy 'priority' and priority go together")
        return self


class Gold(Input):
    """A case or an answer with known labels. Every annotator gets this gold item among the other items, and cannot see
    that it is a test."""

    case: Name = Field(description="The name of a case of the version, or of the run.")
    target: Name | None = Field(default=None, description="The target that answered, where several did.")
    epoch: int | None = Field(default=None, ge=1, le=1_000_000, description="The epoch, where there are several.")
    labels: Labels


class RunSource(Input):
    """The run whose answers people label, and the targets whose answers are taken (all of them by default)."""

    run_id: UUID
    target_ids: list[UUID] = Field(default_factory=list, max_length=100, description="If empty: all targets.")
    pairs: bool = Field(
        default=False, description="Show the answers of two targets to the same case side by side, in random order."
    )
    named: bool = Field(default=False, description="Show the names of the targets. It influences what people say.")


class AnnotationTaskIn(Input):
    """The request body of a new task. It names either a version of a dataset or a run."""

    name: Name
    description: OptionalText = None
    dataset_version_id: UUID | None = None
    run: RunSource | None = None
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

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.dataset_version_id is None) == (self.run is None):
            raise ValueError("name a dataset_version_id or a run: one of the two")
        if self.run is None and self.sampling_config.strategy == "priority":
            raise ValueError("strategy 'priority' is for answers of a run")
        if self.run is None and any(each.target or each.epoch for each in self.gold):
            raise ValueError("a gold item has a target or an epoch only if it is an answer of a run")
        if self.run is not None:
            if self.sampling_config.strategy == "stratified" or self.sampling_config.filter:
                raise ValueError("answers of a run are drawn at random or by priority, without a filter")
            if self.gold and self.run.pairs:
                raise ValueError("pairs have no gold items, because the order of a pair is drawn at random")
            if self.run.pairs and not any(one.type == "pairwise" for one in self.annotation_schema.questions()):
                raise ValueError("pairs need a question of the type pairwise")
        return self


class AnnotationTaskPatch(Input):
    """The request body that changes a task. Missing fields stay unchanged. The questions never change."""

    # Missing fields are ignored, so these defaults are never used. Factories keep them out of OpenAPI.
    name: Name = Field(default_factory=str)
    description: OptionalText = None
    instructions: Instructions = Field(default_factory=str)
    lease_s: int = Field(default_factory=int, ge=5, le=MOST_SECONDS)
    time_limit_seconds: int | None = Field(default=None, ge=5, le=MOST_SECONDS)


class LabelledRun(BaseModel):
    """The run whose answers are labelled. Its name and targets are those at the time when the task was created. `pairs`
    is true if the answers of two targets are compared, and `named` if annotators see the names of the targets."""

    run_id: UUID
    run_name: str
    targets: list[str]
    pairs: bool
    named: bool


class AnnotationTaskOut(BaseModel):
    """An annotation task. `version` grows by one with each change of its properties; it is the ETag."""

    task_id: UUID
    dataset_version_id: UUID | None = Field(
        description="Null: the items are answers of a run, or the dataset was deleted. The items stay."
    )
    source: LabelledRun | None = Field(default=None, description="Null: the items are cases of a dataset.")
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


class AnnotationTaskPage(BaseModel):
    tasks: list[AnnotationTaskOut]
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

    `quality_score` is the share of gold items that were labelled right. One right and one wrong item are added to the
    count, so the score is 0.5 without gold items.
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


class ShownAnswer(BaseModel):
    """An answer of a pair that an annotator compares. `target` is null unless the task shows the names of targets."""

    text: str
    target: str | None = Field(default=None, description="The target that gave it, where the task shows names.")


class CaseToLabel(BaseModel):
    input: dict[str, Any]
    output: str | None = Field(description="A model's answer; null for pairs, and if people label the case itself.")
    reference: str | None = Field(description="The expected output, where the task shows it.")
    target: str | None = Field(default=None, description="The target that answered, where the task shows names.")
    answers: list[ShownAnswer] = Field(
        default_factory=list, description="The two answers of a pair, `a` before `b`; else empty."
    )


class NextItem(BaseModel):
    """The item that an annotator labels now. Their lease ends at `leased_until`."""

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
    """The request body with an annotator's labels of an item, or with the reason why the item is skipped."""

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


class Work(BaseModel):
    """An ACTIVE task, and how many of its items one person has labelled or skipped."""

    task_id: UUID
    name: str
    description: str | None
    total_items: int
    completed_items: int
    own_annotations: int = Field(description="Items that this person labelled or skipped; 0 if nobody is named.")


class WorkList(BaseModel):
    """The 200 newest ACTIVE tasks, which are the tasks whose items can be labelled."""

    tasks: list[Work]


class Draft(Input):
    labels: Labels


class Saved(BaseModel):
    leased_until: UtcTime


class Submitted(BaseModel):
    """The response to submitted labels: the id of the stored labels, and the next item for this annotator."""

    annotation_id: UUID
    surplus: bool = Field(description="The item had all its labels already. These are kept, and do not count.")
    next_item_id: UUID | None
    next: NextItem | None


class Undone(BaseModel):
    """The response to an undo: the item whose labels were removed. It is leased to the annotator again."""

    item: NextItem
