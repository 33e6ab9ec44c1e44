"""The tables of annotation: annotators and their invitations, tasks, items, leases of items, and labels."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.annotation_words import AnnotationStatus, AnnotatorStatus
from llmbench.db.columns import (
    actor_column,
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

annotator = Table(
    "annotator",
    metadata,
    id_column(),
    org_column(),
    # The person who signed in, if there is sign-in; an annotator from outside is none.
    Column("person_id", Uuid),
    Column("name", Text, nullable=False),
    Column("email", Text),
    Column("expertise_tags", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("languages", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("status", Text, nullable=False, server_default=text("'ACTIVE'")),
    # The number of labels, without skips. Two more numbers: gold items that were labelled, and those labelled right.
    counter_column("total_annotations"),
    counter_column("gold_total"),
    counter_column("gold_right"),
    # The share of other people's labels that were the same, when a task was last evaluated.
    Column("agreement_rate", Float),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    one_of("status", AnnotatorStatus),
    CheckConstraint("gold_right BETWEEN 0 AND gold_total", name="gold"),
    UniqueConstraint("org_id", "email"),
    UniqueConstraint("org_id", "person_id"),
    Index(None, "org_id", "status"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

annotation_task = Table(
    "annotation_task",
    metadata,
    id_column(),
    org_column(),
    # Items have copies of the cases, so a task outlives the dataset.
    Column("dataset_version_id", Uuid, ForeignKey("dataset_version.id", ondelete="SET NULL")),
    # The run whose answers are the items, with its name and targets at that time; null for the cases of a version.
    json_column("source", nullable=True),
    Column("name", Text, nullable=False),
    Column("description", Text),
    Column("instructions", Text, nullable=False),
    json_column("annotation_schema"),
    Column("required_annotations_per_item", Integer, nullable=False),
    Column("allow_skip", Boolean, nullable=False),
    Column("show_reference", Boolean, nullable=False),
    Column("time_limit_seconds", Integer),
    Column("lease_s", Integer, nullable=False),
    # The sample that was asked for, with the seed that was used.
    json_column("sampling_config"),
    Column("status", Text, nullable=False),
    # The number of items that need labels, without gold items; and the number of those that have all their labels.
    counter_column("total_items"),
    counter_column("completed_items"),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    time_column("completed_at"),
    one_of("status", AnnotationStatus),
    CheckConstraint("required_annotations_per_item BETWEEN 1 AND 100", name="required"),
    CheckConstraint("completed_items BETWEEN 0 AND total_items", name="completed"),
    Index(None, "org_id", "status"),
    Index(None, "org_id", "created_at", "id"),
    Index(None, "dataset_version_id"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

annotation_item = Table(
    "annotation_item",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("annotation_task.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("test_case_id", Uuid, ForeignKey("test_case.id", ondelete="SET NULL")),
    Column("name", Text, nullable=False),
    # The parts that are shown: input, output, reference.
    json_column("content"),
    # The item of a run whose answer is shown. In a pair it is the first answer, and `other_run_item_id` the second.
    Column("run_item_id", Uuid),
    Column("other_run_item_id", Uuid),
    # True if the item belongs to the random slice. Only the labels of this slice correct the figures of a judge.
    Column("is_audit", Boolean, nullable=False, server_default=text("false")),
    # The right labels of a gold item. Every annotator gets the item, whatever number of labels it has.
    json_column("gold", nullable=True),
    # Labels that count: neither skipped nor surplus.
    counter_column("annotations"),
    Column("done", Boolean, nullable=False, server_default=text("false")),
    # The decision about an item that people disagree on.
    json_column("decision", nullable=True),
    Column("decision_reason", Text),
    Column("decided_by", Uuid),
    time_column("decided_at"),
    UniqueConstraint("task_id", "position"),
    UniqueConstraint("task_id", "name"),
    CheckConstraint("(decision IS NULL) = (decided_at IS NULL)", name="decided"),
    Index("annotation_item_open", "task_id", "position", postgresql_where=text("NOT done")),
    Index(None, "test_case_id"),
    Index(None, "run_item_id", postgresql_where=text("run_item_id IS NOT NULL")),
    CheckConstraint("other_run_item_id IS NULL OR run_item_id IS NOT NULL", name="pair"),
    owner_column(),
    info=owned_by("config-api", readers=["orchestrator"]),
)

# A lease reserves an item for one annotator until a time. A lease that has expired stays until the annotator submits.
# So late labels are accepted, and labels of an item that was never leased to the annotator are not.
annotation_lease = Table(
    "annotation_lease",
    metadata,
    Column("item_id", Uuid, ForeignKey("annotation_item.id", ondelete="CASCADE"), primary_key=True),
    Column("annotator_id", Uuid, ForeignKey("annotator.id", ondelete="CASCADE"), primary_key=True),
    Column("task_id", Uuid, ForeignKey("annotation_task.id", ondelete="CASCADE"), nullable=False),
    time_column("leased_until", nullable=False),
    now_column("created_at"),
    # Labels that were not submitted yet, so that a reload loses nothing.
    json_column("draft", nullable=True),
    Index(None, "task_id", "annotator_id", "leased_until"),
    Index(None, "annotator_id"),
    owner_column(),
    info=owned_by("config-api"),
)

# A link with which an annotator from outside labels one task without signing in. The token itself is not stored.
annotation_invitation = Table(
    "annotation_invitation",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("annotation_task.id", ondelete="CASCADE"), nullable=False),
    Column("annotator_id", Uuid, ForeignKey("annotator.id", ondelete="CASCADE"), nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    time_column("expires_at", nullable=False),
    time_column("revoked_at"),
    time_column("used_at"),
    now_column("created_at"),
    actor_column(),
    Index(None, "task_id"),
    Index(None, "annotator_id"),
    owner_column(),
    info=owned_by("config-api"),
)

human_annotation = Table(
    "human_annotation",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("annotation_task.id", ondelete="CASCADE"), nullable=False),
    Column("item_id", Uuid, ForeignKey("annotation_item.id", ondelete="CASCADE"), nullable=False),
    Column("annotator_id", Uuid, ForeignKey("annotator.id", ondelete="RESTRICT"), nullable=False),
    json_column("labels"),
    Column("time_spent_seconds", Integer, nullable=False),
    Column("skipped", Boolean, nullable=False, server_default=text("false")),
    Column("skip_reason", Text),
    Column("flagged", Boolean, nullable=False, server_default=text("false")),
    Column("flag_reason", Text),
    Column("note", Text),
    # True if the item already had all its labels when this label was given.
    Column("surplus", Boolean, nullable=False, server_default=text("false")),
    # The share of other people's labels of the item that were the same; null until the task is evaluated.
    Column("agreement_score", Float),
    now_column("created_at"),
    now_column("updated_at"),
    UniqueConstraint("task_id", "item_id", "annotator_id"),
    CheckConstraint("NOT (skipped AND surplus)", name="surplus"),
    Index(None, "item_id"),
    Index(None, "annotator_id", "task_id"),
    Index(None, "task_id", "created_at"),
    owner_column(),
    info=owned_by("config-api", readers=["orchestrator"]),
)
