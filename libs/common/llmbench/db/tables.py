"""Every table, as SQLAlchemy Core. The migrations make them; a test compares the two.

One writer per table (ARCHITECTURE.md names it). Ids are UUIDv7 made in Python, times are
`timestamptz`, states are text with a CHECK, root tables carry `org_id` and names are unique per
organisation.
"""

from enum import StrEnum

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
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from llmbench.contracts.provider import ProviderType
from llmbench.contracts.run_words import (
    GroupStatus,
    ItemStatus,
    RunOutcome,
    RunPhase,
    RunStatus,
    ScoreStatus,
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


def _id() -> "Column[object]":
    return Column("id", Uuid, primary_key=True)


def _org() -> "Column[object]":
    return Column("org_id", Uuid, ForeignKey("organisation.id", ondelete="RESTRICT"), nullable=False)


def _time(name: str, *, nullable: bool = True) -> "Column[object]":
    return Column(name, DateTime(timezone=True), nullable=nullable)


def _now(name: str) -> "Column[object]":
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())


def _zero(name: str, kind: type[Integer] | type[BigInteger] = Integer) -> "Column[object]":
    return Column(name, kind, nullable=False, server_default=text("0"))


def _json(name: str, *, nullable: bool = False) -> "Column[object]":
    return Column(name, JSONB(none_as_null=True), nullable=nullable, server_default=None if nullable else text("'{}'"))


def _one_of(column: str, words: type[StrEnum]) -> CheckConstraint:
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


organisation = Table(
    "organisation",
    metadata,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    _now("created_at"),
)

# What a run is made of (config-api).

provider = Table(
    "provider",
    metadata,
    _id(),
    _org(),
    Column("name", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("base_url", Text, nullable=False),
    Column("models_endpoint", Text, nullable=False),
    Column("inference_endpoint", Text, nullable=False),
    _json("options"),
    Column("version", Integer, nullable=False, server_default=text("1")),
    _now("created_at"),
    _now("updated_at"),
    UniqueConstraint("org_id", "name"),
    _one_of("type", ProviderType),
)

provider_header = Table(
    "provider_header",
    metadata,
    _id(),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="CASCADE"), nullable=False),
    Column("header_key", Text, nullable=False),
    Column("is_secret", Boolean, nullable=False, server_default=text("false")),
    Column("plain_value", Text),
    Column("sealed_value", LargeBinary),
    Column("hint", Text),
    Column("position", Integer, nullable=False),
    _now("created_at"),
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
    _id(),
    _org(),
    Column("task_id", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("subcategory", Text),
    Column("question", Text, nullable=False),
    Column("excellent", Text),
    Column("good", Text),
    Column("pass", Text),
    Column("incorrect_answer_direction", Text),
    Column("version", Integer, nullable=False, server_default=text("1")),
    _now("created_at"),
    _now("updated_at"),
    UniqueConstraint("org_id", "task_id"),
    Index(None, "org_id", "category"),
)

collection = Table(
    "collection",
    metadata,
    _id(),
    _org(),
    Column("name", Text, nullable=False),
    Column("description", Text),
    Column("version", Integer, nullable=False, server_default=text("1")),
    _now("created_at"),
    _now("updated_at"),
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
    _id(),
    _org(),
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
    _json("judge_params"),
    _zero("item_count"),
    _zero("answered_count"),
    _zero("judged_count"),
    _zero("failed_count"),
    _zero("last_seq", BigInteger),
    Column("traceparent", Text),
    _now("created_at"),
    _time("started_at"),
    _time("finished_at"),
    _one_of("status", RunStatus),
    _one_of("phase", RunPhase),
    _one_of("outcome", RunOutcome),
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
    _id(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("phase", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT"), nullable=False),
    Column("model", Text, nullable=False),
    Column("token", Text, nullable=False),
    _json("provider"),
    Column("concurrency", Integer, nullable=False),
    Column("releases", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    _zero("dispatch"),
    _zero("warm_up_attempts"),
    Column("call_in_flight", Boolean, nullable=False, server_default=text("false")),
    # Counters of the group's work (items, or scores in JUDGING), kept in the transaction of each
    # change, so that advance() costs the same for ten items and for a million.
    _zero("new_count"),
    _zero("in_flight_count"),
    _zero("done_count"),
    _zero("failed_count"),
    _time("backoff_since"),
    _time("backoff_until"),
    _zero("backoff_count"),
    Column("backoff_reason", Text),
    Column("failure_reason", Text),
    _time("opened_at"),
    _time("closed_at"),
    UniqueConstraint("run_id", "phase", "provider_id", "model"),
    _one_of("phase", RunPhase),
    _one_of("status", GroupStatus),
    CheckConstraint("new_count >= 0 AND in_flight_count >= 0 AND done_count >= 0 AND failed_count >= 0", name="counts"),
    Index(None, "provider_id"),
)

target = Table(
    "target",
    metadata,
    _id(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT"), nullable=False),
    Column("provider_name", Text, nullable=False),
    Column("model", Text, nullable=False),
    _json("params"),
    UniqueConstraint("run_id", "label"),
)

item = Table(
    "item",
    metadata,
    _id(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("target_id", Uuid, ForeignKey("target.id", ondelete="CASCADE"), nullable=False),
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("epoch", Integer, nullable=False, server_default=text("1")),
    Column("task_id", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("subcategory", Text),
    _json("case"),
    Column("status", Text, nullable=False),
    _zero("dispatch"),
    _zero("attempts"),
    _time("next_attempt_at"),
    _time("dispatched_at"),
    Column("call_id", Uuid),
    _json("failure", nullable=True),
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
    _now("created_at"),
    _now("updated_at"),
    _time("completed_at"),
    UniqueConstraint("run_id", "position"),
    _one_of("status", ItemStatus),
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
    _id(),
    _org(),
    Column("kind", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("judge_provider_id", Uuid),
    Column("judge_model", Text),
    Column("prompt_hash", Text, nullable=False),
    Column("schema_name", Text, nullable=False),
    Column("schema_version", Text, nullable=False),
    Column("scale_min", Float, nullable=False),
    Column("scale_max", Float, nullable=False),
    _json("params"),
    _now("created_at"),
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
    _id(),
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
    _json("details"),
    _zero("dispatch"),
    _zero("attempts"),
    _time("next_attempt_at"),
    _time("dispatched_at"),
    Column("call_ids", ARRAY(Uuid), nullable=False, server_default=text("'{}'")),
    _now("created_at"),
    _now("updated_at"),
    ForeignKeyConstraint(
        ["run_id", "evaluator_revision_id"],
        ["run_evaluator.run_id", "run_evaluator.evaluator_revision_id"],
        ondelete="CASCADE",
    ),
    UniqueConstraint("item_id", "evaluator_revision_id"),
    _one_of("status", ScoreStatus),
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
    _json("body"),
)

# Every call that was paid for (inference-gateway).

model_call = Table(
    "model_call",
    metadata,
    _id(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("provider_id", Uuid, ForeignKey("provider.id", ondelete="RESTRICT"), nullable=False),
    Column("group_id", Uuid, nullable=False),
    Column("item_id", Uuid),
    Column("score_id", Uuid),
    Column("purpose", Text, nullable=False),
    Column("dispatch", Integer, nullable=False),
    Column("model", Text, nullable=False),
    Column("request_hash", Text, nullable=False),
    _json("request"),
    _json("outcome"),
    Column("content", Text),
    Column("reasoning", Text),
    _json("response", nullable=True),
    _time("started_at", nullable=False),
    _time("finished_at", nullable=False),
    Index(None, "run_id"),
    Index(None, "item_id"),
    Index(None, "provider_id"),
)


def _outbox(name: str) -> Table:
    """Messages made true by a transaction and not yet published; `seq` is their order."""
    return Table(
        name,
        metadata,
        Column("seq", BigInteger, Identity(), primary_key=True),
        Column("id", Uuid, nullable=False),
        Column("subject", Text, nullable=False),
        Column("type", Text, nullable=False),
        Column("body", LargeBinary, nullable=False),
        Column("traceparent", Text),
        _now("created_at"),
    )


config_outbox = _outbox("config_outbox")
run_outbox = _outbox("run_outbox")
