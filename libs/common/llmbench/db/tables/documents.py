"""The tables of documents and of the text of their pages, from which questions are generated."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)

from llmbench.db.columns import actor_column, id_column, now_column, org_column, owner_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

document = Table(
    "document",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("description", Text),
    # The name of the reader's module; the file itself is in the file store.
    Column("format", Text, nullable=False),
    Column("file_name", Text, nullable=False),
    Column("file_bytes", BigInteger, nullable=False),
    Column("file_uri", Text, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("empty_page_count", Integer, nullable=False),
    Column("character_count", Integer, nullable=False),
    now_column("created_at"),
    actor_column(),
    UniqueConstraint("org_id", "name"),
    Index(None, "org_id", "created_at", "id"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

document_page = Table(
    "document_page",
    metadata,
    Column("document_id", Uuid, ForeignKey("document.id", ondelete="CASCADE"), primary_key=True),
    # Counted from 1.
    Column("number", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    CheckConstraint("number > 0", name="number"),
    owner_column(),
    info=owned_by("config-api"),
)
