"""The tables of baselines: their history, their gates, and the verdicts on runs."""

from sqlalchemy import CheckConstraint, Column, Float, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, Uuid
from sqlalchemy.dialects.postgresql import ARRAY

from llmbench.contracts.gate_words import GateVerdict
from llmbench.db.columns import id_column, json_column, now_column, one_of, org_column, owner_column, time_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

# The baseline of a subject under a label. The subject is what the runs have in common: one of the columns of subjects
# is set. The anchor is an older run that stays when another run becomes the baseline.
baseline = Table(
    "baseline",
    metadata,
    id_column(),
    org_column(),
    Column("preset_id", Uuid, ForeignKey("evaluation_preset.id", ondelete="RESTRICT")),
    Column("suite_family_id", Uuid, ForeignKey("suite_family.id", ondelete="RESTRICT")),
    Column("label", Text, nullable=False),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="RESTRICT"), nullable=False),
    Column("anchor_run_id", Uuid, ForeignKey("run.id", ondelete="RESTRICT"), nullable=False),
    now_column("created_at"),
    now_column("updated_at"),
    UniqueConstraint("org_id", "preset_id", "label"),
    UniqueConstraint("org_id", "suite_family_id", "label"),
    CheckConstraint("num_nonnulls(preset_id, suite_family_id) = 1", name="subject"),
    Index(None, "preset_id"),
    Index(None, "suite_family_id"),
    Index(None, "run_id"),
    Index(None, "anchor_run_id"),
    info=owned_by("orchestrator"),
)

# Every run that became the baseline or the anchor, with its name, because the run may be removed later.
baseline_promotion = Table(
    "baseline_promotion",
    metadata,
    id_column(),
    Column("baseline_id", Uuid, ForeignKey("baseline.id", ondelete="CASCADE"), nullable=False),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="SET NULL")),
    Column("run_name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("note", Text),
    Column("created_by", Uuid),
    now_column("created_at"),
    CheckConstraint("role IN ('baseline', 'anchor', 'both')", name="role"),
    Index(None, "baseline_id", "id"),
    Index(None, "run_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)

# A gate: one metric of each later run must not be worse than that of the baseline and of the anchor by the margin.
# `probability_fine` was computed when the gate was saved, or when the baseline last changed.
gate = Table(
    "gate",
    metadata,
    id_column(),
    Column("baseline_id", Uuid, ForeignKey("baseline.id", ondelete="CASCADE"), nullable=False),
    Column("metric", Text, nullable=False),
    # The task of a suite that the gate is limited to; null if it covers the suite, and for other subjects.
    Column("task", Text),
    Column("margin", Float, nullable=False),
    Column("undecided", Text, nullable=False),
    Column("cluster_by", Text),
    Column("probability_fine", Float, nullable=False),
    Column("clusters", Integer, nullable=False),
    now_column("created_at"),
    now_column("updated_at"),
    UniqueConstraint("baseline_id", "metric", "task", postgresql_nulls_not_distinct=True),
    CheckConstraint("margin > 0", name="margin"),
    CheckConstraint("undecided IN ('fail', 'ok')", name="undecided"),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The run of type JUDGE_CHECK in which stored answers of a baseline or an anchor (`source_run_id`) are judged again. It
# takes place before the gates of the run that has finished at `run_finished_at` are decided.
judge_check = Table(
    "judge_check",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("source_run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    time_column("run_finished_at", nullable=False),
    Column("check_run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    # The stored answers as ids of items of the source, in the order of their positions in the check.
    Column("item_ids", ARRAY(Uuid), nullable=False),
    now_column("created_at"),
    Index(None, "source_run_id"),
    Index(None, "check_run_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)

# The verdict on a finished run. It holds for the end of the run at `run_finished_at`, and not after a later one.
gate_verdict = Table(
    "gate_verdict",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    time_column("run_finished_at", nullable=False),
    Column("verdict", Text, nullable=False),
    json_column("body"),
    now_column("decided_at"),
    one_of("verdict", GateVerdict),
    owner_column(),
    info=owned_by("orchestrator"),
)
