"""What `/v1/datasets` takes and gives; names as the evaluation service's document has them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from config_api.bodies import Input, Name, OptionalText
from config_api.datasets.formats.registry import formats
from llmbench.contracts.base import UtcTime
from llmbench.contracts.dataset_words import DatasetType, TruthSource, ValidationStatus, VersionStatus
from llmbench.files.cases import CaseInput, Checks, Truth
from llmbench.files.values import storable
from llmbench.web import ProblemBody

MAX_SAMPLE = 10_000
MAX_TAGS = 50

Tag = Annotated[Name, Field(max_length=60)]


Metadata = Annotated[dict[str, Any], AfterValidator(storable)]


def _format(name: str) -> str:
    if name not in formats():
        raise ValueError(f"must be one of {', '.join(sorted(formats()))}")
    return name


FormatName = Annotated[str, AfterValidator(_format), Field(json_schema_extra={"enum": sorted(formats())})]


class DatasetIn(Input):
    name: Name
    description: OptionalText = None
    type: DatasetType = DatasetType.EVALUATION
    tags: list[Tag] = Field(default_factory=list, max_length=MAX_TAGS)
    metadata: Metadata = Field(default_factory=dict)


class DatasetPatch(Input):
    """What is left out stays."""

    name: Name = ""
    description: OptionalText = None
    type: DatasetType = DatasetType.EVALUATION
    tags: list[Tag] = Field(default_factory=list, max_length=MAX_TAGS)
    metadata: Metadata = Field(default_factory=dict)


class DatasetOut(BaseModel):
    """`version` grows by one with each change of the dataset itself; it is the ETag."""

    dataset_id: UUID
    name: str
    description: str | None
    type: DatasetType
    tags: list[str]
    metadata: dict[str, Any]
    version: int
    version_count: int
    latest_version: int | None = Field(description="Number of the newest version.")
    published_version: int | None = Field(description="Number of the newest PUBLISHED version.")
    row_count: int | None = Field(description="Test cases in the newest version.")
    created_at: UtcTime
    updated_at: UtcTime


class DatasetPage(BaseModel):
    datasets: list[DatasetOut]
    total: int
    has_more: bool


class SchemaColumn(BaseModel):
    name: str
    type: str


class MappedColumn(BaseModel):
    """`field` is what the column became: a field of a test case, or `metadata.<name>`; `by` says why: it is the field's
    name, a name that files of others have for it (`known`), or the upload's own `map` (`chosen`)."""

    column: str
    field: str
    by: Literal["name", "known", "chosen", "other"]


class VersionSchema(BaseModel):
    columns: list[SchemaColumn]


class VersionOut(BaseModel):
    """`content_hash` is of all test cases in their order: versions with the same one hold the same."""

    model_config = ConfigDict(validate_by_alias=True, validate_by_name=True, serialize_by_alias=True)

    version_id: UUID
    dataset_id: UUID
    version_number: int
    status: VersionStatus
    description: str | None
    row_count: int
    file_uri: str
    file_format: str
    file_name: str | None
    file_bytes: int
    schema_: VersionSchema = Field(alias="schema")
    schema_hash: str
    content_hash: str
    validation_status: ValidationStatus
    mapping: list[MappedColumn] = Field(description="How the file's columns were read.")
    warnings: list[str] = Field(description="What a reader of the file has to know before it is published.")
    validation_errors: list[str] = Field(description="The first 100.")
    validation_error_count: int
    created_at: UtcTime
    published_at: UtcTime | None
    deprecated_at: UtcTime | None


class VersionPage(BaseModel):
    versions: list[VersionOut]
    total: int
    has_more: bool


class GroundTruthOut(BaseModel):
    ground_truth_id: UUID
    value: dict[str, Any] = Field(description="answer, acceptable_answers, rubric, citations: those there are.")
    source: TruthSource
    confidence: float | None


class TestCaseOut(BaseModel):
    """`name` is the file's own id of the case, else one made of what it says."""

    test_case_id: UUID
    row_index: int
    name: str
    input: dict[str, Any] = Field(
        description="prompt, context, system_prompt, conversation, conversation_id, turn: those there are."
    )
    expected_output: str | None
    metadata: dict[str, Any]
    checks: list[dict[str, Any]]
    ground_truth: GroundTruthOut | None
    created_at: UtcTime


class CasePage(BaseModel):
    cases: list[TestCaseOut]
    total: int
    has_more: bool


class TestCasePatch(BaseModel):
    """What is left out stays; what is there replaces the whole of its part. Texts are kept as they are."""

    model_config = ConfigDict(extra="forbid")

    name: Name = ""
    input: CaseInput | None = Field(default=None, description="A case without one is none: null leaves it as it is.")
    expected_output: str | None = None
    ground_truth: Truth | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    checks: Checks = Field(default_factory=list)


class DeleteCases(Input):
    test_case_ids: list[UUID] = Field(min_length=1, max_length=10_000)


class DeletedCases(BaseModel):
    deleted: int = Field(description="Those of the ids that were cases of the version.")
    row_count: int = Field(description="Test cases that are left.")


class SampleIn(Input):
    """The same seed gives the same cases, in whatever order they are stored. Without one a seed is drawn.
    Conversations are taken whole, each in the stratum of its first turn."""

    size: int = Field(
        ge=1, le=MAX_SAMPLE, description="Cases. There are some more where the last one is a turn of a conversation."
    )
    strategy: Literal["random", "stratified"] = "random"
    stratify_by: Name | None = Field(default=None, description="A field of the metadata.")
    seed: int | None = Field(default=None, ge=0, le=2**63 - 1)

    @model_validator(mode="after")
    def _by_what(self) -> "SampleIn":
        if (self.strategy == "stratified") != (self.stratify_by is not None):
            raise ValueError("strategy 'stratified' and stratify_by go together")
        return self


class Stratum(BaseModel):
    """`value` is null for the cases without that field."""

    value: str | None
    total: int
    sampled: int


class Sample(BaseModel):
    cases: list[TestCaseOut]
    sample_size: int
    seed: int
    strata: list[Stratum]


class BadRowOut(BaseModel):
    """`line` is where the row starts (of Parquet, its number), null where the file's header is at fault; `field` is
    null when the row as a whole is."""

    line: int | None
    field: str | None
    message: str


class UploadProblem(ProblemBody):
    """Nothing was kept. `bad_rows` is there when the file could be read as a whole: the first 100 faults."""

    row_count: int = 0
    bad_row_count: int = 0
    bad_rows: list[BadRowOut] = Field(default=[])
