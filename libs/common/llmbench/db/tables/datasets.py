"""The tables of datasets: versions, test cases, ground truth, and uploaded files that no version holds yet."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.dataset_words import DatasetType, TruthSource, ValidationStatus, VersionStatus
from llmbench.db.columns import (
    actor_column,
    counter_column,
    id_column,
    json_column,
    list_column,
    now_column,
    one_of,
    org_column,
    owner_column,
    time_column,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

dataset = Table(
    "dataset",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("description", Text),
    Column("type", Text, nullable=False),
    Column("tags", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    json_column("metadata"),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    UniqueConstraint("org_id", "name"),
    one_of("type", DatasetType),
    Index(None, "org_id", "created_at", "id"),
    Index(None, "tags", postgresql_using="gin"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

dataset_version = Table(
    "dataset_version",
    metadata,
    id_column(),
    Column("dataset_id", Uuid, ForeignKey("dataset.id", ondelete="CASCADE"), nullable=False),
    Column("version_number", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("description", Text),
    # The uploaded file, in the file store. `file_format` is the name of the module that reads it.
    Column("file_uri", Text, nullable=False),
    Column("file_format", Text, nullable=False),
    Column("file_name", Text),
    Column("file_bytes", BigInteger, nullable=False),
    # The description inside the file, if its format has one.
    json_column("header"),
    counter_column("row_count"),
    list_column("schema_columns"),
    # The mapping of the file's columns to fields, and warnings for the user.
    list_column("mapping"),
    list_column("warnings"),
    Column("schema_hash", Text, nullable=False),
    # A hash of all cases in order. Versions with equal content have equal hashes.
    Column("content_hash", Text, nullable=False),
    Column("validation_status", Text, nullable=False),
    list_column("validation_errors"),
    counter_column("validation_error_count"),
    now_column("created_at"),
    time_column("published_at"),
    time_column("deprecated_at"),
    UniqueConstraint("dataset_id", "version_number"),
    one_of("status", VersionStatus),
    one_of("validation_status", ValidationStatus),
    CheckConstraint("(status = 'DRAFT') = (published_at IS NULL)", name="published"),
    CheckConstraint("(status = 'DEPRECATED') = (deprecated_at IS NOT NULL)", name="deprecated"),
    CheckConstraint("status = 'DRAFT' OR validation_status = 'VALID'", name="valid"),
    Index(None, "dataset_id", "status"),
    owner_column(),
    info=owned_by("config-api", readers=["orchestrator"], lockers={"orchestrator": "created_at"}),
)

# Files that do not belong to a version yet: see config_api.files.loose.
loose_file = Table(
    "loose_file",
    metadata,
    Column("uri", Text, primary_key=True),
    now_column("created_at"),
    owner_column(),
    info=owned_by("config-api"),
)

test_case = Table(
    "test_case",
    metadata,
    id_column(),
    Column("version_id", Uuid, ForeignKey("dataset_version.id", ondelete="CASCADE"), nullable=False),
    Column("row_index", Integer, nullable=False),
    # The user's own name for the case; otherwise a name derived from its row.
    Column("name", Text, nullable=False),
    # A hash of the content, independent of order and storage.
    Column("digest", LargeBinary, nullable=False),
    json_column("input"),
    Column("expected_output", Text),
    json_column("metadata"),
    # The checks of an answer: see llmbench.contracts.check.
    list_column("checks"),
    now_column("created_at"),
    UniqueConstraint("version_id", "row_index"),
    UniqueConstraint("version_id", "name"),
    owner_column(),
    info=owned_by("config-api", readers=["orchestrator"]),
)

ground_truth = Table(
    "ground_truth",
    metadata,
    id_column(),
    Column("test_case_id", Uuid, ForeignKey("test_case.id", ondelete="CASCADE"), nullable=False, unique=True),
    json_column("value"),
    Column("source", Text, nullable=False),
    Column("confidence", Float),
    # The annotation task whose consensus it is. There is no foreign key: a truth outlives the task.
    Column("annotation_task_id", Uuid),
    now_column("created_at"),
    now_column("updated_at"),
    one_of("source", TruthSource),
    CheckConstraint("confidence BETWEEN 0 AND 1", name="confidence"),
    owner_column(),
    info=owned_by("config-api", readers=["orchestrator"]),
)
