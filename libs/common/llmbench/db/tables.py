"""Every table, as SQLAlchemy Core. The migrations make them; a test compares the two.

One writer per table (ARCHITECTURE.md names it). Ids are UUIDv7 made in Python, times are
`timestamptz`, states are text with a CHECK, root tables carry `org_id` and names are unique per
organisation.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.provider import ProviderType
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunOutcome, RunPhase, RunStatus, ScoreStatus
from llmbench.db.columns import (
    counter_column,
    id_column,
    json_column,
    now_column,
    one_of,
    org_column,
    outbox_columns,
    time_column,
)

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
        "ck": "%(table_name)s_%(constraint_name)s_check",
    }
)

organisation = Table(
    "organisation",
    metadata,
    id_column(),
    Column("name", Text, nullable=False, unique=True),
    now_column("created_at"),
)

# What a run is made of (config-api).

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
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    now_column("updated_at"),
    UniqueConstraint("org_id", "name"),
    one_of("type", ProviderType),
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
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    now_column("updated_at"),
    UniqueConstraint("org_id", "task_id"),
    Index(None, "org_id", "category"),
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
    UniqueConstraint("org_id", "name"),
)

collection_task = Table(
    "collection_task",
    metadata,
    Column("collection_id", Uuid, ForeignKey("collection.id", ondelete="CASCADE"), primary_key=True),
    Column("task_id", Uuid, ForeignKey("task.id", ondelete="CASCADE"), primary_key=True),
    Column("position", BigInteger, Identity(), nullable=False),
    Index(None, "task_id"),
)

# Runs and what becomes of them (orchestrator).

run = Table(
    "run",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("outcome", Text),
    Column("status_reason", Text),
    Column("concurrency", Integer, nullable=False),
    Column("timeout_s", Float, nullable=False),
    Column("max_attempts", Integer, nullable=False),
    Column("max_backoff_s", Float, nullable=False),
    Column("judge_provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT"), nullable=False),
    Column("judge_provider_name", Text, nullable=False),
    Column("judge_model", Text, nullable=False),
    json_column("judge_params"),
    counter_column("item_count"),
    counter_column("answered_count"),
    counter_column("judged_count"),
    counter_column("failed_count"),
    counter_column("last_seq", BigInteger),
    Column("traceparent", Text),
    now_column("created_at"),
    time_column("started_at"),
    time_column("finished_at"),
    one_of("status", RunStatus),
    one_of("phase", RunPhase),
    one_of("outcome", RunOutcome),
    CheckConstraint("(status IN ('FINISHED', 'CANCELLED')) = (finished_at IS NOT NULL)", name="ended"),
    CheckConstraint("(status = 'FINISHED') = (outcome IS NOT NULL)", name="has_outcome"),
    Index("run_one_active", "org_id", unique=True, postgresql_where=text("status IN ('RUNNING', 'PAUSING')")),
    Index(None, "org_id", "created_at", "id"),
)

run_collection = Table(
    "run_collection",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("collection_id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
)

run_group = Table(
    "run_group",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("phase", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT"), nullable=False),
    Column("model", Text, nullable=False),
    Column("token", Text, nullable=False),
    json_column("provider"),
    Column("concurrency", Integer, nullable=False),
    Column("releases", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    counter_column("dispatch"),
    counter_column("warm_up_attempts"),
    Column("call_in_flight", Boolean, nullable=False, server_default=text("false")),
    # Counters of the group's work (items, or scores in JUDGING), kept in the transaction of each
    # change, so that advance() costs the same for ten items and for a million.
    counter_column("new_count"),
    counter_column("in_flight_count"),
    counter_column("done_count"),
    counter_column("failed_count"),
    time_column("backoff_since"),
    time_column("backoff_until"),
    counter_column("backoff_count"),
    Column("backoff_reason", Text),
    Column("failure_reason", Text),
    time_column("opened_at"),
    time_column("closed_at"),
    UniqueConstraint("run_id", "phase", "provider_id", "model"),
    one_of("phase", RunPhase),
    one_of("status", GroupStatus),
    CheckConstraint("new_count >= 0 AND in_flight_count >= 0 AND done_count >= 0 AND failed_count >= 0", name="counts"),
    Index(None, "provider_id"),
)

target = Table(
    "target",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT"), nullable=False),
    Column("provider_name", Text, nullable=False),
    Column("model", Text, nullable=False),
    json_column("params"),
    UniqueConstraint("run_id", "label"),
)

item = Table(
    "item",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("target_id", Uuid, ForeignKey("target.id", ondelete="CASCADE"), nullable=False),
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("epoch", Integer, nullable=False, server_default=text("1")),
    Column("task_id", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("subcategory", Text),
    json_column("case"),
    Column("status", Text, nullable=False),
    counter_column("dispatch"),
    counter_column("attempts"),
    time_column("next_attempt_at"),
    time_column("dispatched_at"),
    Column("call_id", Uuid),
    json_column("failure", nullable=True),
    Column("time_ms", Integer),
    Column("first_token_ms", Integer),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("tokens_per_second", Float),
    Column("finish_reason", Text),
    Column("score", Float),
    Column("score_normalised", Float),
    Column("passed", Boolean),
    Column("reason", Text),
    now_column("created_at"),
    now_column("updated_at"),
    time_column("completed_at"),
    UniqueConstraint("run_id", "position"),
    one_of("status", ItemStatus),
    CheckConstraint("(status = 'FAILED') = (failure IS NOT NULL)", name="has_failure"),
    CheckConstraint("(status = 'COMPLETED') = (completed_at IS NOT NULL)", name="completed"),
    CheckConstraint(
        "status NOT IN ('WAITING_FOR_JUDGE', 'JUDGING', 'COMPLETED') OR call_id IS NOT NULL", name="has_answer"
    ),
    Index("item_claim", "group_id", "position", postgresql_where=text("status = 'NEW'")),
    Index("item_in_flight", "group_id", postgresql_where=text("status = 'IN_PROGRESS'")),
    Index(None, "run_id", "status", "position"),
    Index(None, "target_id"),
)

evaluator_revision = Table(
    "evaluator_revision",
    metadata,
    id_column(),
    org_column(),
    Column("kind", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("judge_provider_id", Uuid),
    Column("judge_model", Text),
    Column("prompt_hash", Text, nullable=False),
    Column("schema_name", Text, nullable=False),
    Column("schema_version", Text, nullable=False),
    Column("scale_min", Float, nullable=False),
    Column("scale_max", Float, nullable=False),
    json_column("params"),
    now_column("created_at"),
    UniqueConstraint("org_id", "identity"),
)

run_evaluator = Table(
    "run_evaluator",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("evaluator_revision_id", Uuid, ForeignKey("evaluator_revision.id", ondelete="RESTRICT"), primary_key=True),
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("weight", Float, nullable=False),
    Column("required", Boolean, nullable=False),
    CheckConstraint("weight >= 0", name="weight"),
)

score = Table(
    "score",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("item_id", Uuid, ForeignKey("item.id", ondelete="CASCADE"), nullable=False),
    Column("evaluator_revision_id", Uuid, nullable=False),
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("outcome", Text),
    Column("raw", Float),
    Column("normalised", Float),
    Column("passed", Boolean),
    Column("reason", Text),
    Column("error", Text),
    json_column("details"),
    counter_column("dispatch"),
    counter_column("attempts"),
    time_column("next_attempt_at"),
    time_column("dispatched_at"),
    Column("call_ids", ARRAY(Uuid), nullable=False, server_default=text("'{}'")),
    now_column("created_at"),
    now_column("updated_at"),
    ForeignKeyConstraint(
        ["run_id", "evaluator_revision_id"],
        ["run_evaluator.run_id", "run_evaluator.evaluator_revision_id"],
        ondelete="CASCADE",
    ),
    UniqueConstraint("item_id", "evaluator_revision_id"),
    one_of("status", ScoreStatus),
    CheckConstraint("outcome IN ('scored', 'unparsed', 'refused', 'errored')", name="outcome"),
    CheckConstraint("(status = 'SCORED') = (normalised IS NOT NULL)", name="has_value"),
    CheckConstraint("(status IN ('SCORED', 'FAILED')) = (outcome IS NOT NULL)", name="has_outcome"),
    Index("score_claim", "group_id", "position", postgresql_where=text("status = 'NEW'")),
    Index("score_in_flight", "group_id", postgresql_where=text("status = 'IN_PROGRESS'")),
    Index(None, "run_id"),
)

run_event = Table(
    "run_event",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("run_seq", BigInteger, primary_key=True),
    Column("type", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("item_id", Uuid),
    json_column("body"),
)

# Every call that was paid for (inference-gateway).

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
)

# Messages made true by a transaction and not yet published.

config_outbox = Table("config_outbox", metadata, *outbox_columns())
run_outbox = Table("run_outbox", metadata, *outbox_columns())
