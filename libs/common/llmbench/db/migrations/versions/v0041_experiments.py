"""Add experiments: variants, their cases, rounds, results, assignments and looks (analyses)"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"
_TABLES = ("experiment", "variant", "experiment_case", "experiment_round", "observation", "assignment", "look")


def upgrade() -> None:
    op.create_table(
        "experiment",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hypothesis", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("status_reason", sa.Text(), nullable=True),
        sa.Column("primary_metric", sa.Text(), nullable=False),
        sa.Column("guardrail_metrics", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("config", postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("case_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("cluster_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("largest_cluster", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("planned_sample", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("stop_rule", sa.Text(), nullable=True),
        sa.Column("stop_sentence", sa.Text(), nullable=True),
        sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("conclusion", postgresql.JSONB(none_as_null=True), nullable=True),
        sa.Column("look_due", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_by", sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("concluded_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(status = 'DRAFT') = (started_at IS NULL)", name=op.f("experiment_started_check")),
        sa.CheckConstraint(
            "(status IN ('CONCLUDED', 'ARCHIVED')) = (concluded_at IS NOT NULL)",
            name=op.f("experiment_concluded_check"),
        ),
        sa.CheckConstraint(
            "status IN ('DRAFT', 'RUNNING', 'PAUSED', 'CONCLUDED', 'ARCHIVED')", name=op.f("experiment_status_check")
        ),
        sa.CheckConstraint(
            "stop_rule IN ('decided', 'harmful', 'futile', 'planned', 'cases', 'duration', 'cost')",
            name=op.f("experiment_stop_rule_check"),
        ),
        sa.CheckConstraint(
            "type IN ('AB_TEST', 'MULTI_ARM_BANDIT', 'PROMPT_COMPARISON', 'MODEL_COMPARISON')",
            name=op.f("experiment_type_check"),
        ),
        sa.CheckConstraint("(stop_rule IS NULL) = (stopped_at IS NULL)", name=op.f("experiment_stopped_check")),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisation.id"], name=op.f("experiment_org_id_fkey"), ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("experiment_pkey")),
        sa.UniqueConstraint("org_id", "name", name=op.f("experiment_org_id_name_key")),
    )
    op.create_index(op.f("experiment_org_id_created_at_id_idx"), "experiment", ["org_id", "created_at", "id"])
    op.create_index(op.f("experiment_org_id_status_idx"), "experiment", ["org_id", "status"])
    op.create_index("experiment_running", "experiment", ["id"], postgresql_where=sa.text("status = 'RUNNING'"))
    op.create_table(
        "variant",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_control", sa.Boolean(), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("traffic_allocation", sa.Float(), nullable=False),
        sa.Column("out_reason", sa.Text(), nullable=True),
        sa.Column("out_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sample_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("metric_sum", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("metric_sum_squares", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("missing_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.CheckConstraint("(out_reason IS NULL) = (out_at IS NULL)", name=op.f("variant_out_check")),
        sa.CheckConstraint("traffic_allocation BETWEEN 0 AND 1", name=op.f("variant_traffic_allocation_check")),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("variant_experiment_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("variant_pkey")),
        sa.UniqueConstraint("experiment_id", "name", name=op.f("variant_experiment_id_name_key")),
        sa.UniqueConstraint("experiment_id", "position", name=op.f("variant_experiment_id_position_key")),
    )
    op.create_index(
        "variant_control", "variant", ["experiment_id"], unique=True, postgresql_where=sa.text("is_control")
    )
    op.create_table(
        "experiment_case",
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("cluster", sa.Integer(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("experiment_case_experiment_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("experiment_id", "position", name=op.f("experiment_case_pkey")),
    )
    op.create_table(
        "experiment_round",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("variant_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("positions", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("allocation", postgresql.JSONB(none_as_null=True), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.CheckConstraint(
            "status IN ('STARTING', 'STARTED', 'OVER', 'FAILED', 'DROPPED')", name=op.f("experiment_round_status_check")
        ),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("experiment_round_experiment_id_fkey"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("experiment_round_run_id_fkey"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("experiment_round_pkey")),
        sa.UniqueConstraint(
            "experiment_id",
            "number",
            "variant_ids",
            "attempt",
            name=op.f("experiment_round_experiment_id_number_variant_ids_attempt_key"),
        ),
    )
    op.create_index(
        "experiment_round_open",
        "experiment_round",
        ["experiment_id"],
        postgresql_where=sa.text("status IN ('STARTING', 'STARTED')"),
    )
    op.create_index(op.f("experiment_round_run_id_idx"), "experiment_round", ["run_id"])
    op.create_table(
        "observation",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("variant_id", sa.Uuid(), nullable=False),
        sa.Column("unit_id", sa.Text(), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("guardrails", postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("propensity", sa.Float(), nullable=True),
        sa.Column("item_id", sa.Uuid(), nullable=True),
        sa.Column("observed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("observation_experiment_id_fkey"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["variant_id"], ["variant.id"], name=op.f("observation_variant_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("observation_pkey")),
    )
    op.create_index(op.f("observation_experiment_id_unit_id_idx"), "observation", ["experiment_id", "unit_id"])
    op.create_index(
        op.f("observation_experiment_id_variant_id_place_idx"), "observation", ["experiment_id", "variant_id", "place"]
    )
    op.create_table(
        "assignment",
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("unit_id", sa.Text(), nullable=False),
        sa.Column("variant_id", sa.Uuid(), nullable=False),
        sa.Column("assigned_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("assignment_experiment_id_fkey"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["variant_id"], ["variant.id"], name=op.f("assignment_variant_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("experiment_id", "unit_id", name=op.f("assignment_pkey")),
    )
    op.create_index(op.f("assignment_variant_id_idx"), "assignment", ["variant_id"])
    op.create_table(
        "look",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("results", postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("look_experiment_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("look_pkey")),
        sa.UniqueConstraint("experiment_id", "number", name=op.f("look_experiment_id_number_key")),
    )
    # ### end Alembic commands ###
    op.add_column("run", sa.Column("experiment_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("run_experiment_id_fkey"), "run", "experiment", ["experiment_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(
        op.f("run_experiment_id_idx"), "run", ["experiment_id"], postgresql_where=sa.text("experiment_id IS NOT NULL")
    )
    for table in _TABLES:
        _isolate(table)


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
