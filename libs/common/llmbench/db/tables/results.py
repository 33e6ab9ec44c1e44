"""Items and scores: what a run finds out. Written by the orchestrator."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.run_words import ItemStatus, ScoreStatus
from llmbench.db.columns import (
    counter_column,
    id_column,
    json_column,
    now_column,
    one_of,
    org_column,
    time_column,
)
from llmbench.db.tables.metadata import metadata

item = Table(
    "item",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("target_id", Uuid, ForeignKey("target.id", ondelete="CASCADE"), nullable=False),
    # Whose calls answer it. Null where the answer was given: `given_answer` is part of the snapshot then, as the
    # case is, and there is no `call_id`.
    Column("group_id", Uuid),
    Column("given_answer", Text),
    Column("position", Integer, nullable=False),
    Column("epoch", Integer, nullable=False, server_default=text("1")),
    Column("task_id", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("subcategory", Text),
    json_column("case"),
    # Of a case that is a turn of a conversation. `previous_id` is the item of the turn before, of the same target and
    # epoch: this one is asked when that one is answered.
    Column("conversation_id", Text),
    Column("turn", Integer),
    Column("previous_id", Uuid),
    # What its result is not independent of: the document that its case is about, or the value of the run's
    # `cluster_by`. Null where that is its conversation, or else its case alone.
    Column("cluster_key", Text),
    Column("status", Text, nullable=False),
    counter_column("dispatch"),
    counter_column("attempts"),
    time_column("next_attempt_at"),
    time_column("dispatched_at"),
    Column("call_id", Uuid),
    json_column("failure", nullable=True),
    Column("time_ms", Integer),
    Column("first_token_ms", Integer),
    Column("first_content_ms", Integer),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("reasoning_tokens", Integer),
    Column("usage_source", Text),
    Column("tokens_per_second", Float),
    Column("finish_reason", Text),
    # What the answer is made of (contracts.outcome.AnswerKind). Null where it was given, or is older than the column.
    Column("answer_kind", Text),
    Column("cost_usd", Float),
    Column("cached", Boolean, nullable=False, server_default=text("false")),
    # Whose verdict `score` is: one revision, never a mixture.
    Column("score_revision_id", Uuid, ForeignKey("evaluator_revision.id", ondelete="RESTRICT")),
    Column("score", Float),
    Column("score_normalised", Float),
    Column("passed", Boolean),
    Column("reason", Text),
    now_column("created_at"),
    now_column("updated_at"),
    time_column("completed_at"),
    # By the run as well: so an index finds what a deleted group leaves.
    ForeignKeyConstraint(["run_id", "group_id"], ["run_group.run_id", "run_group.id"], ondelete="CASCADE"),
    UniqueConstraint("run_id", "position"),
    one_of("status", ItemStatus),
    CheckConstraint("(status = 'FAILED') = (failure IS NOT NULL)", name="has_failure"),
    CheckConstraint("(status = 'COMPLETED') = (completed_at IS NOT NULL)", name="completed"),
    CheckConstraint(
        "status NOT IN ('WAITING_FOR_JUDGE', 'JUDGING', 'COMPLETED') OR num_nonnulls(call_id, given_answer) = 1",
        name="has_answer",
    ),
    CheckConstraint("num_nulls(conversation_id, turn) IN (0, 2)", name="turn"),
    Index(
        "item_conversation",
        *("target_id", "conversation_id", "epoch", "turn"),
        postgresql_where=text("conversation_id IS NOT NULL"),
    ),
    CheckConstraint("num_nonnulls(group_id, given_answer) = 1", name="answered_by"),
    Index("item_claim", "group_id", "position", postgresql_where=text("status = 'NEW'")),
    Index("item_in_flight", "group_id", postgresql_where=text("status = 'IN_PROGRESS'")),
    Index(None, "run_id", "status", "position"),
    # For whoever reads all of a run: of an index of one column the planner knows that what it finds lies together; of
    # the others it expects a page for each item, and reads the whole table instead.
    Index(None, "run_id"),
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
    # Null for a panel: it asks nobody itself.
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE")),
    Column("position", Integer, nullable=False),
    # The evaluator's name in the run. Revisions of one slot answer the same question: another judge
    # beside the first.
    Column("slot", Text, nullable=False, server_default=text("'rubric'")),
    Column("title", Text, nullable=False, server_default=text("'Rubric'")),
    # Asked to score every answered item, not only those that another revision failed on.
    Column("whole", Boolean, nullable=False, server_default=text("true")),
    Column("weight", Float, nullable=False),
    Column("required", Boolean, nullable=False),
    # On the evaluator's own scale. Null where its own verdict says whether an answer passed.
    Column("pass_threshold", Float),
    # The evaluator's own, as it was when it joined. A panel passes by it, as its members do.
    Column("pass_mark", Float),
    # A panel's: the revisions whose median it is, and how many of them have to give a score.
    Column("members", ARRAY(Uuid)),
    Column("quorum", Integer),
    # The filters of the cases that it is asked about, and of those that it is not: see orchestrator.domain.limits.
    json_column("only", nullable=True),
    json_column("unless", nullable=True),
    # In the run for a panel's sake only.
    Column("member", Boolean, nullable=False, server_default=text("false")),
    CheckConstraint("weight >= 0", name="weight"),
    CheckConstraint(
        "num_nulls(members, quorum) IN (0, 2) AND (members IS NULL) = (group_id IS NOT NULL)", name="panel"
    ),
)

score = Table(
    "score",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("item_id", Uuid, ForeignKey("item.id", ondelete="CASCADE"), nullable=False),
    Column("evaluator_revision_id", Uuid, nullable=False),
    # Null for a panel: it asks nobody itself.
    Column("group_id", Uuid),
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
    Column("cost_usd", Float),
    Column("call_ids", ARRAY(Uuid), nullable=False, server_default=text("'{}'")),
    now_column("created_at"),
    now_column("updated_at"),
    ForeignKeyConstraint(
        ["run_id", "evaluator_revision_id"],
        ["run_evaluator.run_id", "run_evaluator.evaluator_revision_id"],
        ondelete="CASCADE",
    ),
    ForeignKeyConstraint(["run_id", "group_id"], ["run_group.run_id", "run_group.id"], ondelete="CASCADE"),
    UniqueConstraint("item_id", "evaluator_revision_id"),
    one_of("status", ScoreStatus),
    CheckConstraint("outcome IN ('scored', 'unparsed', 'refused', 'errored')", name="outcome"),
    CheckConstraint("(status = 'SCORED') = (normalised IS NOT NULL)", name="has_value"),
    CheckConstraint("(status IN ('SCORED', 'FAILED')) = (outcome IS NOT NULL)", name="has_outcome"),
    CheckConstraint("group_id IS NOT NULL OR status IN ('NEW', 'SCORED', 'FAILED')", name="panel"),
    Index("score_claim", "group_id", "position", postgresql_where=text("status = 'NEW'")),
    Index("score_in_flight", "group_id", postgresql_where=text("status = 'IN_PROGRESS'")),
    Index(None, "run_id"),
)
