"""The table of model calls with their outcomes."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    Uuid,
    text,
)

from llmbench.db.columns import (
    id_column,
    json_column,
    owner_column,
    time_column,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

model_call = Table(
    "model_call",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT"), nullable=False),
    Column("group_id", Uuid, nullable=False),
    Column("item_id", Uuid),
    Column("score_id", Uuid),
    Column("purpose", Text, nullable=False),
    Column("dispatch", Integer, nullable=False),
    Column("model", Text, nullable=False),
    Column("request_hash", Text, nullable=False),
    Column("epoch", Integer, nullable=False, server_default=text("1")),
    # The earlier call whose answer was reused. This call then cost nothing.
    Column("cached_from", Uuid),
    json_column("request"),
    json_column("outcome"),
    Column("content", Text),
    Column("reasoning", Text),
    json_column("response", nullable=True),
    time_column("started_at", nullable=False),
    time_column("finished_at", nullable=False),
    Index(None, "run_id"),
    Index(None, "item_id"),
    Index(None, "provider_id"),
    Index("model_call_reusable", "request_hash", "epoch", postgresql_where=text("cached_from IS NULL")),
    owner_column(),
    info=owned_by("inference-gateway", readers=["orchestrator"], maintainers=["orchestrator"]),
)
