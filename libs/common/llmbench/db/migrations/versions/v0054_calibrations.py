"""Add calibrations, which measure how far a judge agrees with people"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"


def _json(name: str) -> "sa.Column[object]":
    return sa.Column(name, postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False)


def upgrade() -> None:
    op.create_table(
        "calibration",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("run_name", sa.Text(), nullable=False),
        sa.Column("evaluator_revision_id", sa.Uuid(), nullable=False),
        sa.Column("evaluator_title", sa.Text(), nullable=False),
        sa.Column("annotation_task_id", sa.Uuid(), nullable=True),
        _json("source"),
        _json("scale"),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("labels", sa.Integer(), nullable=False),
        sa.Column("annotators", sa.Integer(), nullable=False),
        _json("figures"),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_by", sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{table}.id"], name=op.f(f"calibration_{column}_fkey"), ondelete=on_delete
            )
            for column, table, on_delete in (
                ("org_id", "organisation", "RESTRICT"),
                ("run_id", "run", "SET NULL"),
                ("evaluator_revision_id", "evaluator_revision", "RESTRICT"),
                ("annotation_task_id", "annotation_task", "SET NULL"),
            )
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("calibration_pkey")),
    )
    op.create_index(op.f("calibration_org_id_id_idx"), "calibration", ["org_id", "id"])
    for column in ("run_id", "evaluator_revision_id", "annotation_task_id"):
        op.create_index(op.f(f"calibration_{column}_idx"), "calibration", [column])
    op.create_table(
        "calibration_answer",
        sa.Column("calibration_id", sa.Uuid(), nullable=False),
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("task_id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("judge", sa.Float(), nullable=False),
        sa.Column("consensus", sa.Float(), nullable=False),
        _json("labels"),
        sa.Column("is_audit", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(
            ["calibration_id"],
            ["calibration.id"],
            name=op.f("calibration_answer_calibration_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("calibration_id", "item_id", name=op.f("calibration_answer_pkey")),
    )
    for table in ("calibration", "calibration_answer"):
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
        op.execute(
            f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
            "USING (current_setting('app.everybody', true) = 'on')"
        )
