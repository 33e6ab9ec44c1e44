"""The table of the links that show the report of a run without sign-in."""

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, Table, Uuid

from llmbench.db.columns import actor_column, id_column, now_column, owner_column, time_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

# The token of the link is not stored, only its SHA-256. A revoked link has no row.
report_link = Table(
    "report_link",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    time_column("expires_at", nullable=False),
    # When the report was opened last.
    time_column("opened_at"),
    now_column("created_at"),
    actor_column(),
    Index(None, "run_id", "created_at"),
    owner_column(),
    info=owned_by("orchestrator"),
)
