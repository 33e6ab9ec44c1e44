"""The tables of organisations, providers, tasks and collections."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)

from llmbench.db.columns import (
    actor_column,
    id_column,
    json_column,
    list_column,
    now_column,
    org_column,
    owner_column,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

default_providers = Table(
    "default_providers",
    metadata,
    # A row exists once config-api has created the organisation's default providers. One that was deleted is not
    # created again.
    org_column(primary_key=True),
    now_column("created_at"),
    info=owned_by("config-api"),
)

provider = Table(
    "provider",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("base_url", Text, nullable=False),
    Column("models_endpoint", Text, nullable=False),
    Column("inference_endpoint", Text, nullable=False),
    json_column("options"),
    # The user's own prices (llmbench.contracts.provider.ModelPrice).
    list_column("prices"),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    UniqueConstraint("org_id", "name"),
    info=owned_by("config-api", readers=["orchestrator", "inference-gateway"], lockers={"orchestrator": "created_at"}),
)

provider_header = Table(
    "provider_header",
    metadata,
    id_column(),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="CASCADE"), nullable=False),
    Column("header_key", Text, nullable=False),
    Column("is_secret", Boolean, nullable=False, server_default=text("false")),
    Column("plain_value", Text),
    Column("sealed_value", LargeBinary),
    Column("hint", Text),
    Column("position", Integer, nullable=False),
    now_column("created_at"),
    UniqueConstraint("provider_id", "header_key"),
    CheckConstraint(
        "(is_secret AND plain_value IS NULL AND sealed_value IS NOT NULL) OR "
        "(NOT is_secret AND sealed_value IS NULL AND plain_value IS NOT NULL)",
        name="one_value",
    ),
    owner_column(),
    info=owned_by("config-api", readers=["inference-gateway"]),
)

task = Table(
    "task",
    metadata,
    id_column(),
    org_column(),
    Column("task_id", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("subcategory", Text),
    Column("question", Text, nullable=False),
    Column("excellent", Text),
    Column("good", Text),
    Column("pass", Text),
    Column("incorrect_answer_direction", Text),
    Column("system_prompt", Text),
    # The turns before the question.
    list_column("conversation"),
    list_column("accepted_answers"),
    json_column("metadata"),
    # The checks of an answer: see llmbench.contracts.check.
    list_column("checks"),
    # The file from which the task was imported.
    Column("source_file", Text),
    Column("source_line", Integer),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    UniqueConstraint("org_id", "task_id"),
    Index(None, "org_id", "category"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

collection = Table(
    "collection",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("description", Text),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    now_column("updated_at"),
    actor_column(),
    UniqueConstraint("org_id", "name"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

collection_task = Table(
    "collection_task",
    metadata,
    Column("collection_id", Uuid, ForeignKey("collection.id", ondelete="CASCADE"), primary_key=True),
    Column("task_id", Uuid, ForeignKey("task.id", ondelete="CASCADE"), primary_key=True),
    Column("position", BigInteger, Identity(), nullable=False),
    Index(None, "task_id"),
    owner_column(),
    info=owned_by("config-api", readers=["orchestrator"]),
)
