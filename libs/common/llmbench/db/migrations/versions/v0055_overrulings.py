"""Add the scores by which people overrule a judge

The new constraints hold for every row that exists, so they are added without reading the rows, and validated after.
"""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"


def _check(table: str, name: str, condition: str) -> None:
    op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {table}_{name}_check CHECK ({condition}) NOT VALID")
    op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {table}_{name}_check")


def upgrade() -> None:
    op.add_column("run_evaluator", sa.Column("corrects", sa.Uuid(), nullable=True))
    _check("run_evaluator", "corrects", "corrects IS NULL OR members = ARRAY[corrects]")
    op.add_column("score", sa.Column("by_person", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    _check("score", "by_person", "NOT by_person OR group_id IS NULL AND status = 'SCORED'")
    op.create_table(
        "overruling",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("evaluator_revision_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("judge_score", sa.Float(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("given_name", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_by", sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("overruling_run_id_fkey"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("overruling_item_id_fkey"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["run_id", "evaluator_revision_id"],
            ["run_evaluator.run_id", "run_evaluator.evaluator_revision_id"],
            name=op.f("overruling_run_id_evaluator_revision_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("overruling_pkey")),
        sa.UniqueConstraint(
            *("item_id", "evaluator_revision_id", "number"),
            name=op.f("overruling_item_id_evaluator_revision_id_number_key"),
        ),
        sa.CheckConstraint("score IS NULL OR reason IS NOT NULL", name=op.f("overruling_reason_check")),
    )
    op.create_index(
        op.f("overruling_run_id_evaluator_revision_id_idx"), "overruling", ["run_id", "evaluator_revision_id"]
    )
    op.execute("ALTER TABLE overruling ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE overruling FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON overruling USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        "CREATE POLICY owner_for_everybody ON overruling TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
