"""Add schedules, which start runs at the times of a cron expression, and the history of their firings"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"


def upgrade() -> None:
    op.create_table(
        "schedule",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("cron", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("what", sa.JSON(), nullable=False),
        sa.Column("skip_if_running", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("paused", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("next_due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("NOT paused OR next_due_at IS NULL", name=op.f("schedule_paused_check")),
        sa.ForeignKeyConstraint(["org_id"], ["organisation.id"], name=op.f("schedule_org_id_fkey"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f("schedule_pkey")),
        sa.UniqueConstraint("org_id", "name", name=op.f("schedule_org_id_name_key")),
    )
    op.create_index("schedule_due", "schedule", ["next_due_at"], postgresql_where=sa.text("next_due_at IS NOT NULL"))
    op.create_table(
        "schedule_firing",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("schedule_id", sa.Uuid(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fired_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("missed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.CheckConstraint("cause IN ('DUE', 'REQUESTED')", name=op.f("schedule_firing_cause_check")),
        sa.CheckConstraint(
            "status IN ('STARTING', 'STARTED', 'SKIPPED', 'FAILED')", name=op.f("schedule_firing_status_check")
        ),
        sa.CheckConstraint("(status = 'STARTING') = (leased_until IS NOT NULL)", name=op.f("schedule_firing_leased_check")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("schedule_firing_run_id_fkey"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["schedule_id"], ["schedule.id"], name=op.f("schedule_firing_schedule_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("schedule_firing_pkey")),
    )
    op.create_index(op.f("schedule_firing_run_id_idx"), "schedule_firing", ["run_id"])
    op.create_index(
        op.f("schedule_firing_schedule_id_fired_at_id_idx"), "schedule_firing", ["schedule_id", "fired_at", "id"]
    )
    op.create_index(
        "schedule_firing_starting", "schedule_firing", ["leased_until"], postgresql_where=sa.text("status = 'STARTING'")
    )
    op.add_column("run", sa.Column("schedule_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("run_schedule_id_fkey"), "run", "schedule", ["schedule_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(op.f("run_schedule_id_idx"), "run", ["schedule_id"])
    for table in ("schedule", "schedule_firing"):
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
