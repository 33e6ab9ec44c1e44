"""Add baselines of presets with their history, their gates, and the verdicts on the compared runs"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_NOW = sa.text("now()")


def upgrade() -> None:
    op.add_column("run", sa.Column("preset_id", sa.Uuid(), nullable=True))
    op.add_column("run", sa.Column("baseline_label", sa.Text(), nullable=True))
    op.add_column("run", sa.Column("gate_due", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.create_foreign_key(
        "run_preset_id_fkey", "run", "evaluation_preset", ["preset_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index("run_preset_id_idx", "run", ["preset_id"], postgresql_where=sa.text("preset_id IS NOT NULL"))
    op.create_index("run_gate_due", "run", ["finished_at"], postgresql_where=sa.text("gate_due"))
    op.create_table(
        "baseline",
        _id(),
        _org(),
        sa.Column("preset_id", sa.Uuid(), nullable=True),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("anchor_run_id", sa.Uuid(), nullable=False),
        _now("created_at"),
        _now("updated_at"),
        _key("baseline", "org_id", "organisation", "RESTRICT"),
        _key("baseline", "preset_id", "evaluation_preset", "RESTRICT"),
        _key("baseline", "run_id", "run", "RESTRICT"),
        _key("baseline", "anchor_run_id", "run", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="baseline_pkey"),
        sa.UniqueConstraint("org_id", "preset_id", "label", name="baseline_org_id_preset_id_label_key"),
        sa.CheckConstraint("num_nonnulls(preset_id) = 1", name=op.f("baseline_subject_check")),
    )
    for column in ("preset_id", "run_id", "anchor_run_id"):
        op.create_index(f"baseline_{column}_idx", "baseline", [column])
    op.create_table(
        "baseline_promotion",
        _id(),
        sa.Column("baseline_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("run_name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        _now("created_at"),
        _org(),
        _key("baseline_promotion", "baseline_id", "baseline", "CASCADE"),
        _key("baseline_promotion", "run_id", "run", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="baseline_promotion_pkey"),
        sa.CheckConstraint("role IN ('baseline', 'anchor', 'both')", name=op.f("baseline_promotion_role_check")),
    )
    op.create_index("baseline_promotion_baseline_id_id_idx", "baseline_promotion", ["baseline_id", "id"])
    op.create_index("baseline_promotion_run_id_idx", "baseline_promotion", ["run_id"])
    op.create_table(
        "gate",
        _id(),
        sa.Column("baseline_id", sa.Uuid(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("margin", sa.Float(), nullable=False),
        sa.Column("undecided", sa.Text(), nullable=False),
        sa.Column("cluster_by", sa.Text(), nullable=True),
        sa.Column("probability_fine", sa.Float(), nullable=False),
        sa.Column("clusters", sa.Integer(), nullable=False),
        _now("created_at"),
        _now("updated_at"),
        _org(),
        _key("gate", "baseline_id", "baseline", "CASCADE"),
        sa.PrimaryKeyConstraint("id", name="gate_pkey"),
        sa.UniqueConstraint("baseline_id", "metric", name="gate_baseline_id_metric_key"),
        sa.CheckConstraint("margin > 0", name=op.f("gate_margin_check")),
        sa.CheckConstraint("undecided IN ('fail', 'ok')", name=op.f("gate_undecided_check")),
    )
    op.create_table(
        "gate_verdict",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("run_finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("body", JSONB(), server_default=sa.text("'{}'"), nullable=False),
        _now("decided_at"),
        _org(),
        _key("gate_verdict", "run_id", "run", "CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name="gate_verdict_pkey"),
        sa.CheckConstraint(
            "verdict IN ('pending', 'fine', 'worse', 'undecided', 'low coverage', 'not judged')",
            name=op.f("gate_verdict_verdict_check"),
        ),
    )
    for table in ("baseline", "baseline_promotion", "gate", "gate_verdict"):
        _isolate(table)


def _id() -> "sa.Column[object]":
    return sa.Column("id", sa.Uuid(), nullable=False)


def _org() -> "sa.Column[object]":
    return sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False)


def _now(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), server_default=_NOW, nullable=False)


def _key(table: str, column: str, other: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"{table}_{column}_fkey", ondelete=ondelete)


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
