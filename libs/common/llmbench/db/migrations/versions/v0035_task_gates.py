"""Add gates between the tasks of a suite, and the state of skipped items

The CHECK constraint on an item's state is replaced. PostgreSQL reads the table once for this.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

_BOUND = "nullif(current_setting('app.org', true), '')::uuid"
_STATES = "'NEW', 'IN_PROGRESS', 'WAITING_FOR_JUDGE', 'JUDGING', 'COMPLETED', 'FAILED', 'SKIPPED'"


def upgrade() -> None:
    op.drop_constraint(op.f("item_status_check"), "item")
    op.create_check_constraint(op.f("item_status_check"), "item", f"status IN ({_STATES})")
    op.add_column("run", _counter("skipped_count"))
    op.add_column("run", _counter("open_task_gates"))
    op.add_column("block_figure", sa.Column("skipped", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.create_table(
        "run_task_gate",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("target_id", sa.Uuid(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("gating_task", sa.Text(), nullable=False),
        sa.Column("min_score", sa.Float(), nullable=False),
        sa.Column("holds", ARRAY(sa.Text()), nullable=False),
        sa.Column("first_position", sa.Integer(), nullable=False),
        sa.Column("last_position", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        _counter("scored"),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(f"({_BOUND})"), nullable=False),
        sa.CheckConstraint("status IN ('OPEN', 'PASSED', 'FAILED')", name=op.f("run_task_gate_status_check")),
        sa.CheckConstraint("(status = 'OPEN') = (decided_at IS NULL)", name=op.f("run_task_gate_decided_check")),
        sa.CheckConstraint("min_score BETWEEN 0 AND 1", name=op.f("run_task_gate_min_score_check")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("run_task_gate_run_id_fkey"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["target_id"], ["target.id"], name=op.f("run_task_gate_target_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "target_id", "task", "gating_task", name=op.f("run_task_gate_pkey")),
    )
    op.create_index(op.f("run_task_gate_target_id_idx"), "run_task_gate", ["target_id"])
    op.execute("ALTER TABLE run_task_gate ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE run_task_gate FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON run_task_gate USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        "CREATE POLICY owner_for_everybody ON run_task_gate TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )


def _counter(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False)
