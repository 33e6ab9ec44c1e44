"""Define the bodies and responses of `/v1/datasets`. The field names are those of docs/requirements.md."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from config_api.bodies import Input, Name, OptionalText
from config_api.datasets.formats.registry import formats
from llmbench.contracts.base import UtcTime
from llmbench.contracts.dataset_words import DatasetType, TruthSource, ValidationStatus, VersionStatus
from llmbench.files.cases import CaseInput, Checks, Truth
from llmbench.files.values import storable
from llmbench.http.created_by import CreatedBy
from llmbench.http.openapi import ProblemBody

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
    """The request body that changes a dataset. Missing fields stay unchanged."""

    # Missing fields are ignored, so this default is never used. A factory keeps it out of OpenAPI.
    name: Name = Field(default_factory=str)
    description: OptionalText = None
    type: DatasetType = DatasetType.EVALUATION
    tags: list[Tag] = Field(default_factory=list, max_length=MAX_TAGS)
    metadata: Metadata = Field(default_factory=dict)


class DatasetOut(BaseModel):
    """A dataset. `version` grows by one with each change of the dataset or one of its versions; it is the ETag."""

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
    created_by: CreatedBy = None


class DatasetPage(BaseModel):
    datasets: list[DatasetOut]
    total: int
    has_more: bool


class SchemaColumn(BaseModel):
    name: str
    type: str


class MappedColumn(BaseModel):
    """A column of a file and the `field` to which it is mapped: a field of a test case, or `metadata.<name>`.

    `by` says why: the column has the name of the field (`name`) or a common synonym (`known`), or the upload's `map`
    names the field (`chosen`). A column with any other name becomes metadata (`other`).
    """

    column: str
    field: str
    by: Literal["name", "known", "chosen", "other"]


class VersionSchema(BaseModel):
    columns: list[SchemaColumn]


class VersionOut(BaseModel):
    """A version of a dataset. `content_hash` covers its valid test cases in order: equal hashes mean equal content."""

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
    warnings: list[str] = Field(description="Warnings to read before publishing.")
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
    value: dict[str, Any] = Field(description="answer, acceptable_answers, rubric, citations: those that exist.")
    source: TruthSource
    confidence: float | None
    annotation_task_id: UUID | None = Field(default=None, description="The annotation task whose consensus it is.")


class TestCaseOut(BaseModel):
    """A test case. `name` is the id that the file gives the case, or a name that is derived from the content if the
    file gives none."""

    test_case_id: UUID
    row_index: int
    name: str
    input: dict[str, Any] = Field(
        description="prompt, context, system_prompt, conversation, conversation_id, turn: those that exist."
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
    """The request body that changes a test case. Missing fields stay unchanged; a given field is replaced entirely.

    Texts keep their surrounding white space.
    """

    model_config = ConfigDict(extra="forbid")

    # Missing fields are ignored, so this default is never used. A factory keeps it out of OpenAPI.
    name: Name = Field(default_factory=str)
    input: CaseInput | None = Field(default=None, description="Required in every case, so null leaves it as it is.")
    expected_output: str | None = None
    ground_truth: Truth | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    checks: Checks = Field(default_factory=list)


class DeleteCases(Input):
    test_case_ids: list[UUID] = Field(min_length=1, max_length=10_000)


class DeletedCases(BaseModel):
    deleted: int = Field(description="The number of ids that were cases of the version.")
    row_count: int = Field(description="Test cases that are left.")


class SampleIn(Input):
    """The request body for a sample of a version's cases.

    Equal seeds give equal cases, in whatever order the cases are stored. By default the seed is random. Conversations
    are never split; each belongs to the stratum of its first turn.
    """

    size: int = Field(
        ge=1, le=MAX_SAMPLE, description="The number of cases; a few more if the last one is a turn of a conversation."
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
    """A stratum of a sample: the cases with one value of the metadata field `stratify_by`. The value is null for cases
    without the field."""

    value: str | None
    total: int
    sampled: int


class Sample(BaseModel):
    cases: list[TestCaseOut]
    sample_size: int
    seed: int
    strata: list[Stratum]


class BadRowOut(BaseModel):
    """An invalid row, or an invalid header of a file.

    `line` is the line on which the row starts (for Parquet, the row's number), or null for the header. `field` is null
    when the error concerns the entire row.
    """

    line: int | None
    field: str | None
    message: str


class UploadProblem(ProblemBody):
    """The error response to a refused upload, of which nothing was stored. `bad_rows` has the first 100 errors, if the
    entire file could be read."""

    row_count: int = 0
    bad_row_count: int = 0
    bad_rows: list[BadRowOut] = Field(default=[])
