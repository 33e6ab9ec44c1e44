"""The tables of suites, and of the tasks of suite runs."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.run_words import TaskGateStatus
from llmbench.contracts.suite import Aggregation, SuiteStatus
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

# One row per suite, whatever its versions: runs of all versions are compared with the same baselines.
suite_family = Table(
    "suite_family",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    now_column("created_at"),
    UniqueConstraint("org_id", "name"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

# One row per version of a suite. Versions of one suite share its name and its family.
suite = Table(
    "suite",
    metadata,
    id_column(),
    org_column(),
    Column("family_id", Uuid, ForeignKey("suite_family.id", ondelete="RESTRICT"), nullable=False),
    Column("name", Text, nullable=False),
    Column("version_number", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("description", Text),
    # A SuiteDefinition (llmbench.contracts.suite).
    json_column("definition"),
    # The dataset versions of the definition, for the check whether a dataset is in use.
    Column("dataset_version_ids", ARRAY(Uuid), nullable=False, server_default=text("'{}'")),
    # The number of changes. `version_number` numbers the versions of the suite.
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    time_column("published_at"),
    UniqueConstraint("org_id", "name", "version_number"),
    one_of("status", SuiteStatus),
    CheckConstraint("(status = 'PUBLISHED') = (published_at IS NOT NULL)", name="published"),
    # At most one draft of each name: a new version starts as the draft.
    Index("suite_one_draft", "org_id", "name", unique=True, postgresql_where=text("status = 'DRAFT'")),
    Index(None, "dataset_version_ids", postgresql_using="gin"),
    Index(None, "family_id"),
    info=owned_by("config-api", readers=["orchestrator"]),
)

# The suite of a run, as it was when the run was created. `task_count` counts all tasks of the suite: a run may leave
# some out.
run_suite = Table(
    "run_suite",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("suite_id", Uuid, nullable=False),
    Column("name", Text, nullable=False),
    Column("version_number", Integer, nullable=False),
    Column("aggregation", Text, nullable=False),
    Column("task_count", Integer, nullable=False),
    # The names of the tasks that the request left out.
    Column("left_out", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    one_of("aggregation", Aggregation),
    Index(None, "suite_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The tasks of a suite run. `params` are the task's sampling parameters; those of a target override them.
run_suite_task = Table(
    "run_suite_task",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("level", Integer, nullable=False),
    Column("category", Text, nullable=False),
    Column("source_name", Text, nullable=False),
    Column("source_version", Integer),
    json_column("params"),
    Column("epochs", Integer, nullable=False),
    Column("weight", Float, nullable=False),
    Column("after", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("estimated_seconds", Float),
    # The numbers of cases that the task has, and of those that the run takes from them.
    Column("source_cases", Integer, nullable=False),
    Column("cases", Integer, nullable=False),
    json_column("sample", nullable=True),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The gates between the tasks of a suite run, for each target: `task` is asked if `gating_task` has at least the score
# `min_score`. `score` is the mean over the `scored` answers that decided.
run_task_gate = Table(
    "run_task_gate",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("target_id", Uuid, ForeignKey("target.id", ondelete="CASCADE"), primary_key=True),
    Column("task", Text, primary_key=True),
    Column("gating_task", Text, primary_key=True),
    Column("min_score", Float, nullable=False),
    # The tasks that wait for the decision: `task`, and all that depend on it.
    Column("holds", ARRAY(Text), nullable=False),
    # The positions of the gating task's items. They are adjacent.
    Column("first_position", Integer, nullable=False),
    Column("last_position", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("score", Float),
    counter_column("scored"),
    time_column("decided_at"),
    one_of("status", TaskGateStatus),
    CheckConstraint("(status = 'OPEN') = (decided_at IS NULL)", name="decided"),
    CheckConstraint("min_score BETWEEN 0 AND 1", name="min_score"),
    Index(None, "target_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)
