"""The table of the comments that people write on items."""

from sqlalchemy import Column, ForeignKey, Index, Table, Text, Uuid

from llmbench.db.columns import actor_column, id_column, now_column, owner_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

item_comment = Table(
    "item_comment",
    metadata,
    id_column(),
    Column("item_id", Uuid, ForeignKey("item.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    # The name that a person gave without sign-in; `created_by` is the person who signed in.
    Column("given_name", Text),
    now_column("created_at"),
    actor_column(),
    Index(None, "item_id", "created_at"),
    owner_column(),
    info=owned_by("orchestrator"),
)
