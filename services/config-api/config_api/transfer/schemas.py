"""Define the queries, bodies and responses of `/api/tasks/import` and `/export`."""

from pathlib import PurePath
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, model_validator

from config_api.bodies import Input, Name
from config_api.datasets.right_answers import RightAnswers
from config_api.datasets.schemas import MappedColumn
from config_api.tasks.schemas import TaskIn
from config_api.transfer.formats.base import Format
from config_api.transfer.formats.registry import formats, recognised, writable
from llmbench.http.openapi import ProblemBody

MAX_IMPORT_BYTES = 20 * 1024 * 1024
MAX_IMPORT_TASKS = 100_000
MOST_SHOWN = 100
"""The maximum number of listed invalid rows and notes. The counts include all of them."""
PREVIEW_TASKS = 20

OnConflict = Literal["reject", "skip", "update"]
Change = Literal["created", "updated", "unchanged", "skipped"]


def _readable(name: str) -> str:
    if name not in formats():
        raise ValueError(f"must be one of {', '.join(sorted(formats()))}")
    return name


def _writable(name: str) -> str:
    if name not in writable():
        raise ValueError(f"must be one of {', '.join(sorted(writable()))}")
    return name


ReadableFormat = Annotated[str, AfterValidator(_readable), Field(json_schema_extra={"enum": sorted(formats())})]
WritableFormat = Annotated[str, AfterValidator(_writable), Field(json_schema_extra={"enum": sorted(writable())})]


class ImportQuery(Input):
    """The query parameters of an import. `format` may be omitted if the pattern of a format matches `file_name`."""

    format: ReadableFormat | None = None
    file_name: Name | None = Field(
        default=None, description="Stored with each task; tasks without a name are named after it."
    )
    skip_bad_rows: bool = Field(default=False, description="Import the valid rows even if others are bad.")
    dry_run: bool = Field(default=False, description="Say what would happen, and change nothing.")
    on_conflict: OnConflict = Field(
        default="reject",
        description="A task_id that already exists: a bad row, skipped, or replaced by the file's task.",
    )
    collection_id: UUID | None = Field(default=None, description="Put the tasks into this collection.")
    collection_name: Name | None = Field(default=None, description="The collection by name; created if missing.")

    recognise: bool = Field(
        default=False,
        description="Recognise columns by their names, as uploads of datasets do: `prompt`, `answer`, … Columns with "
        "other names become metadata. By default a field that a task does not have is an error.",
    )
    map: list[Annotated[str, Field(max_length=600)]] = Field(
        default=[],
        max_length=100,
        description="`column=field`, repeatable: maps a column, for instance `right=expected_output`; `notes=ignore` "
        "leaves one out. The other columns are recognised by name.",
    )
    category: Name | None = Field(
        default=None,
        description="With `recognise` or `map`, the category of rows that have none; by default the file's name.",
    )

    @model_validator(mode="after")
    def _one_collection(self) -> "ImportQuery":
        if self.collection_id and self.collection_name:
            raise ValueError("collection_id and collection_name exclude each other")
        return self

    def chosen(self) -> Format | None:
        return formats()[self.format] if self.format else recognised(self.source_file)

    @property
    def source_file(self) -> str:
        return PurePath((self.file_name or "").replace("\\", "/")).name

    @property
    def stem(self) -> str:
        return PurePath(self.source_file).stem or "task"


class BadRow(BaseModel):
    """An invalid row. `line` is the line on which it starts; `field` is null when the error concerns the entire row."""

    line: int
    field: str | None
    message: str


class ImportNote(BaseModel):
    """A note about a part of the file that is not imported, because a task cannot represent it.

    `line` is the first line with such a part, and `count` the number of its occurrences.
    """

    line: int
    message: str
    count: int = 1


class PreviewedTask(BaseModel):
    line: int
    change: Change
    task: TaskIn


class ImportedInto(BaseModel):
    id: UUID | None = Field(description="Null for a collection that a dry run did not create.")
    name: str
    created: bool
    added: int = Field(description="Tasks that were not in it before.")


class ImportResult(BaseModel):
    """The result of an import. Each row of the file is counted as created, updated, unchanged, skipped or bad."""

    format: str
    dry_run: bool
    row_count: int
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0
    bad_row_count: int = 0
    bad_rows: list[BadRow] = Field(default=[], description=f"The first {MOST_SHOWN} faults.")
    note_count: int = 0
    notes: list[ImportNote] = Field(default=[], description=f"The first {MOST_SHOWN} notes.")
    evaluators: list[dict[str, Any]] = Field(
        default=[],
        description="The evaluators that a run over these tasks needs to score them as the file does, as "
        "`POST /api/runs` takes them. Empty if the usual ones suffice.",
    )
    mapping: list[MappedColumn] = Field(
        default=[],
        description="How the columns were read, in the fields of test cases; only with `recognise` or `map`.",
    )
    right_answers: RightAnswers = Field(default_factory=RightAnswers)
    collection: ImportedInto | None = None
    preview: list[PreviewedTask] = Field(
        default=[], description=f"For a dry run, the first {PREVIEW_TASKS} valid rows."
    )


class ImportProblem(ProblemBody):
    """The error response to a refused import, of which nothing was stored. `bad_rows` has the first 100 errors, if the
    entire file could be read."""

    row_count: int = 0
    bad_row_count: int = 0
    bad_rows: list[BadRow] = Field(default=[])
