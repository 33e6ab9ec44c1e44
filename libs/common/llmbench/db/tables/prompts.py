"""The tables of prompts and their versions, which never change."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, Table, Text, UniqueConstraint, Uuid, text

from llmbench.db.columns import actor_column, id_column, list_column, now_column, org_column, owner_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

prompt = Table(
    "prompt",
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

prompt_version = Table(
    "prompt_version",
    metadata,
    id_column(),
    Column("prompt_id", Uuid, ForeignKey("prompt.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("system_template", Text),
    Column("user_template", Text, nullable=False),
    list_column("variables"),
    Column("content_hash", Text, nullable=False),
    Column("notes", Text),
    now_column("created_at"),
    actor_column(),
    owner_column(),
    UniqueConstraint("prompt_id", "number"),
    CheckConstraint("number > 0", name="number"),
    info=owned_by("config-api", readers=["orchestrator"]),
)
