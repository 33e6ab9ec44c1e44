"""The tables of items, scores, evaluator revisions, and the evaluators of each run."""

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
    owner_column,
    time_column,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

item = Table(
    "item",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("target_id", Uuid, ForeignKey("target.id", ondelete="CASCADE"), nullable=False),
    # The group whose calls generate the answer. It is null if the client supplied the answer. Such an answer is part of
    # the snapshot (`given_answer`), and has no `call_id`.
    Column("group_id", Uuid),
    Column("given_answer", Text),
    Column("position", Integer, nullable=False),
    Column("epoch", Integer, nullable=False, server_default=text("1")),
    Column("task_id", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("subcategory", Text),
    # The name of the item's task, if the run is one of a suite (table `run_suite_task`).
    Column("suite_task", Text),
    json_column("case"),
    # The conversation, if the case is one of its turns. `previous_id` is the item of the previous turn, for the same
    # target and epoch, which has to be answered first.
    Column("conversation_id", Text),
    Column("turn", Integer),
    Column("previous_id", Uuid),
    # The cluster of dependent results: the document of the case, or the value of the run's `cluster_by`. Null when the
    # cluster is the conversation or the case itself.
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
    # The kind of the answer's content (contracts.outcome.AnswerKind). Null for supplied answers, and for those from
    # before this column existed.
    Column("answer_kind", Text),
    Column("cost_usd", Float),
    Column("cached", Boolean, nullable=False, server_default=text("false")),
    # The evaluator revision that gave `score`. Scores of several revisions are never mixed.
    Column("score_revision_id", Uuid, ForeignKey("evaluator_revision.id", ondelete="RESTRICT")),
    Column("score", Float),
    Column("score_normalised", Float),
    Column("passed", Boolean),
    Column("reason", Text),
    now_column("created_at"),
    now_column("updated_at"),
    time_column("completed_at"),
    # The key includes the run, so that an index finds the items of a deleted group.
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
    # Requests that failed before are dispatched after the others.
    Index(
        "item_claim",
        "group_id",
        text("next_attempt_at NULLS FIRST"),
        "position",
        postgresql_where=text("status = 'NEW'"),
    ),
    Index("item_in_flight", "group_id", postgresql_where=text("status = 'IN_PROGRESS'")),
    Index(None, "run_id", "status", "position"),
    # For queries of all items of a run. The planner knows only for an index of a single column that the rows are
    # adjacent. Otherwise it expects one page per item, and scans the entire table.
    Index(None, "run_id"),
    Index(None, "target_id"),
    owner_column(),
    info=owned_by("orchestrator", maintainers=["orchestrator"]),
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
    info=owned_by("orchestrator"),
)

run_evaluator = Table(
    "run_evaluator",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("evaluator_revision_id", Uuid, ForeignKey("evaluator_revision.id", ondelete="RESTRICT"), primary_key=True),
    # Null for a panel, which makes no calls itself.
    Column("group_id", Uuid, ForeignKey("run_group.id", ondelete="CASCADE")),
    Column("position", Integer, nullable=False),
    # The evaluator's name in the run. Revisions of one slot answer the same question, for example with different
    # judges.
    Column("slot", Text, nullable=False, server_default=text("'rubric'")),
    Column("title", Text, nullable=False, server_default=text("'Rubric'")),
    # True if the revision scores every answered item, not only those on which another revision failed.
    Column("whole", Boolean, nullable=False, server_default=text("true")),
    Column("weight", Float, nullable=False),
    Column("required", Boolean, nullable=False),
    # The run's threshold, on the evaluator's own scale. Null when the evaluator itself decides whether an answer
    # passes.
    Column("pass_threshold", Float),
    # The evaluator's own pass mark when it joined the run. It applies to the score of a panel as to those of its
    # members.
    Column("pass_mark", Float),
    # For a panel: the revisions of its members, whose median is the score, and how many of them have to give a score.
    Column("members", ARRAY(Uuid)),
    Column("quorum", Integer),
    # Filters of cases: the evaluator scores those that match `only` and do not match `unless`
    # (orchestrator.kernel.domain.limits).
    json_column("only", nullable=True),
    json_column("unless", nullable=True),
    # True if the evaluator belongs to the run only as a member of a panel.
    Column("member", Boolean, nullable=False, server_default=text("false")),
    # True for the primary revision of its slot, on which the run's results are based: see
    # orchestrator.runs.adapters.primary.
    Column("primary", Boolean, nullable=False, server_default=text("false")),
    # The revision whose scores people corrected; null for most revisions. This revision then combines the scores of
    # that one with the corrections, and has it as its only member.
    Column("corrects", Uuid),
    CheckConstraint("weight >= 0", name="weight"),
    CheckConstraint('NOT ("primary" AND member)', name="primary"),
    Index("run_evaluator_primary", "run_id", "slot", unique=True, postgresql_where=text('"primary"')),
    CheckConstraint(
        "num_nulls(members, quorum) IN (0, 2) AND (members IS NULL) = (group_id IS NOT NULL)", name="panel"
    ),
    CheckConstraint("corrects IS NULL OR members = ARRAY[corrects]", name="corrects"),
    owner_column(),
    info=owned_by("orchestrator"),
)

score = Table(
    "score",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("item_id", Uuid, ForeignKey("item.id", ondelete="CASCADE"), nullable=False),
    Column("evaluator_revision_id", Uuid, nullable=False),
    # Null for a panel, which makes no calls itself.
    Column("group_id", Uuid),
    Column("position", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("outcome", Text),
    Column("raw", Float),
    Column("normalised", Float),
    Column("passed", Boolean),
    Column("reason", Text),
    Column("error", Text),
    # The key by which failures are grouped: see llmbench.contracts.item_failure.
    Column("error_cause", Text),
    json_column("details"),
    counter_column("dispatch"),
    counter_column("attempts"),
    time_column("next_attempt_at"),
    time_column("dispatched_at"),
    Column("cost_usd", Float),
    Column("call_ids", ARRAY(Uuid), nullable=False, server_default=text("'{}'")),
    # True if a person gave the score: see the table `overruling`.
    Column("by_person", Boolean, nullable=False, server_default=text("false")),
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
    CheckConstraint("NOT by_person OR group_id IS NULL AND status = 'SCORED'", name="by_person"),
    # Requests that failed before are dispatched after the others.
    Index(
        "score_claim",
        "group_id",
        text("next_attempt_at NULLS FIRST"),
        "position",
        postgresql_where=text("status = 'NEW'"),
    ),
    Index("score_in_flight", "group_id", postgresql_where=text("status = 'IN_PROGRESS'")),
    Index(None, "run_id"),
    owner_column(),
    info=owned_by("orchestrator", maintainers=["orchestrator"]),
)
