"""The table of evaluation presets: settings of runs, stored under a name."""

from sqlalchemy import Column, Integer, Table, Text, UniqueConstraint, text

from llmbench.db.columns import actor_column, id_column, json_column, now_column, org_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

evaluation_preset = Table(
    "evaluation_preset",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("description", Text),
    json_column("settings"),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    now_column("updated_at"),
    actor_column(),
    UniqueConstraint("org_id", "name"),
    info=owned_by("config-api", readers=["orchestrator"]),
)
