"""Add evaluations of existing answers, which call no model under test: their queue and their webhooks"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("type", sa.Text(), server_default=sa.text("'BENCHMARK'"), nullable=False))
    op.add_column("run", sa.Column("beside", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("run", sa.Column("evaluation", postgresql.JSONB(none_as_null=True, astext_type=sa.Text())))
    op.create_check_constraint(op.f("run_type_check"), "run", "type IN ('BENCHMARK', 'SINGLE', 'BATCH')")
    op.drop_index("run_one_active", "run")
    op.create_index(
        "run_one_active",
        "run",
        ["org_id"],
        unique=True,
        postgresql_where=sa.text("status IN ('RUNNING', 'PAUSING') AND NOT beside"),
    )
    op.create_index("run_queue", "run", ["created_at", "id"], postgresql_where=sa.text("status = 'QUEUED'"))

    op.alter_column("target", "group_id", nullable=True)
    op.alter_column("target", "provider_id", nullable=True)
    op.create_check_constraint(
        op.f("target_called_check"), "target", "num_nulls(group_id, provider_id) IN (0, 2)"
    )

    op.alter_column("item", "group_id", nullable=True)
    op.add_column("item", sa.Column("given_answer", sa.Text()))
    op.drop_constraint("item_has_answer_check", "item")
    op.create_check_constraint(
        op.f("item_has_answer_check"),
        "item",
        "status NOT IN ('WAITING_FOR_JUDGE', 'JUDGING', 'COMPLETED') OR num_nonnulls(call_id, given_answer) = 1",
    )
    op.create_check_constraint(op.f("item_answered_by_check"), "item", "num_nonnulls(group_id, given_answer) = 1")

    op.create_table(
        "webhook",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("sealed_secret", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.Text(), server_default=sa.text("'PENDING'"), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("status IN ('PENDING', 'DELIVERED', 'FAILED')", name=op.f("webhook_status_check")),
        sa.CheckConstraint(
            "(status = 'DELIVERED') = (delivered_at IS NOT NULL)", name=op.f("webhook_delivered_check")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="webhook_run_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="webhook_pkey"),
        sa.UniqueConstraint("run_id", name="webhook_run_id_key"),
    )
    op.create_index(
        "webhook_due", "webhook", ["next_attempt_at"], postgresql_where=sa.text("status = 'PENDING'")
    )
