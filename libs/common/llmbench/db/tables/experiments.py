"""The tables of experiments: their variants, cases, rounds, results and looks (the stored analyses)."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
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

from llmbench.contracts.experiment_words import ExperimentStatus, ExperimentType, RoundStatus, StopRule
from llmbench.db.columns import (
    actor_column,
    counter_column,
    id_column,
    json_column,
    list_column,
    now_column,
    one_of,
    org_column,
    owner_column,
    time_column,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

experiment = Table(
    "experiment",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("hypothesis", Text),
    Column("notes", Text),
    Column("type", Text, nullable=False),
    Column("status", Text, nullable=False),
    # Why the experiment is paused.
    Column("status_reason", Text),
    Column("primary_metric", Text, nullable=False),
    list_column("guardrail_metrics"),
    # The statistical part of the request, with its defaults.
    json_column("config"),
    # The parts of the request that the runs of its rounds get: sources, evaluators, judge, calls.
    # Not `jsonb`, which would sort the fields of answers' JSON Schemas.
    Column("setup", JSON, nullable=False),
    # Orders the cases, and assigns units to variants.
    Column("seed", BigInteger, nullable=False),
    counter_column("case_count"),
    counter_column("cluster_count"),
    # The cases of the largest cluster.
    Column("largest_cluster", Integer, nullable=False, server_default=text("1")),
    # The largest sample of each variant, in clusters, as planned at the start.
    Column("planned_sample", Integer),
    # The cost of the rounds that are over, in US dollars.
    Column("cost_usd", Float, nullable=False, server_default=text("0")),
    Column("stop_rule", Text),
    Column("stop_sentence", Text),
    time_column("stopped_at"),
    json_column("conclusion", nullable=True),
    # Observations from outside have arrived since the last look.
    Column("look_due", Boolean, nullable=False, server_default=text("false")),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    time_column("started_at"),
    time_column("concluded_at"),
    UniqueConstraint("org_id", "name"),
    one_of("type", ExperimentType),
    one_of("status", ExperimentStatus),
    one_of("stop_rule", StopRule),
    CheckConstraint("(stop_rule IS NULL) = (stopped_at IS NULL)", name="stopped"),
    CheckConstraint("(status IN ('CONCLUDED', 'ARCHIVED')) = (concluded_at IS NOT NULL)", name="concluded"),
    CheckConstraint("(status = 'DRAFT') = (started_at IS NULL)", name="started"),
    Index(None, "org_id", "status"),
    Index(None, "org_id", "created_at", "id"),
    Index("experiment_running", "id", postgresql_where=text("status = 'RUNNING'")),
    info=owned_by("orchestrator", readers=["config-api"]),
)

variant = Table(
    "variant",
    metadata,
    id_column(),
    Column("experiment_id", Uuid, ForeignKey("experiment.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("is_control", Boolean, nullable=False),
    Column("config", JSON, nullable=False),
    Column("traffic_allocation", Float, nullable=False),
    # Why the variant gets no further calls, once it is out.
    Column("out_reason", Text),
    time_column("out_at"),
    # Sums over the values of the primary metric.
    counter_column("sample_count"),
    Column("metric_sum", Float, nullable=False, server_default=text("0")),
    Column("metric_sum_squares", Float, nullable=False, server_default=text("0")),
    counter_column("missing_count"),
    now_column("created_at"),
    UniqueConstraint("experiment_id", "name"),
    UniqueConstraint("experiment_id", "position"),
    CheckConstraint("traffic_allocation BETWEEN 0 AND 1", name="traffic_allocation"),
    CheckConstraint("(out_reason IS NULL) = (out_at IS NULL)", name="out"),
    Index(
        "variant_control",
        "experiment_id",
        unique=True,
        postgresql_where=text("is_control"),
    ),
    owner_column(),
    info=owned_by("orchestrator", readers=["config-api"]),
)

# The cases of an experiment in the order in which its seed has shuffled them. The cases of a cluster follow each other.
experiment_case = Table(
    "experiment_case",
    metadata,
    Column("experiment_id", Uuid, ForeignKey("experiment.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("case_id", Uuid, nullable=False),
    Column("name", Text, nullable=False),
    Column("cluster", Integer, nullable=False),
    owner_column(),
    info=owned_by("orchestrator"),
)

# A row is a paired round, whose run has all variants, or the part of a split round for one variant, with its own run.
experiment_round = Table(
    "experiment_round",
    metadata,
    id_column(),
    Column("experiment_id", Uuid, ForeignKey("experiment.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    # Counts the tries of a round whose run failed.
    Column("attempt", Integer, nullable=False, server_default=text("1")),
    Column("variant_ids", ARRAY(Uuid), nullable=False),
    Column("positions", ARRAY(Integer), nullable=False),
    # The share of the cases that each of `variant_ids` got, in a split round.
    json_column("allocation", nullable=True),
    Column("status", Text, nullable=False),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="SET NULL")),
    Column("reason", Text),
    now_column("created_at"),
    time_column("ended_at"),
    one_of("status", RoundStatus),
    UniqueConstraint("experiment_id", "number", "variant_ids", "attempt"),
    Index(None, "run_id"),
    Index("experiment_round_open", "experiment_id", postgresql_where=text("status IN ('STARTING', 'STARTED')")),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The value of one unit under one variant: a case of a round, or a unit observed outside. It never changes.
observation = Table(
    "observation",
    metadata,
    id_column(),
    Column("experiment_id", Uuid, ForeignKey("experiment.id", ondelete="CASCADE"), nullable=False),
    Column("variant_id", Uuid, ForeignKey("variant.id", ondelete="CASCADE"), nullable=False),
    # The name of the case, or the unit's id outside.
    Column("unit_id", Text, nullable=False),
    Column("cluster", Text, nullable=False),
    Column("round", Integer),
    # The order of the unit; that of arrival for units outside.
    Column("place", BigInteger, nullable=False),
    # Null if the value is missing, which is never counted as 0.
    Column("value", Float),
    # The values of the guardrails, by metric.
    json_column("guardrails"),
    # The probability with which the unit got its variant.
    Column("propensity", Float),
    Column("item_id", Uuid),
    now_column("observed_at"),
    Index(None, "experiment_id", "variant_id", "place"),
    Index(None, "experiment_id", "unit_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The variant of a unit outside, which stays the same.
assignment = Table(
    "assignment",
    metadata,
    Column("experiment_id", Uuid, ForeignKey("experiment.id", ondelete="CASCADE"), primary_key=True),
    Column("unit_id", Text, primary_key=True),
    Column("variant_id", Uuid, ForeignKey("variant.id", ondelete="CASCADE"), nullable=False),
    now_column("assigned_at"),
    Index(None, "variant_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)

# Each analysis that was made. A look is neither changed nor removed, so that all of them are on record.
look = Table(
    "look",
    metadata,
    id_column(),
    Column("experiment_id", Uuid, ForeignKey("experiment.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("round", Integer),
    json_column("results"),
    now_column("made_at"),
    UniqueConstraint("experiment_id", "number"),
    owner_column(),
    info=owned_by("orchestrator"),
)
