"""Add panels of judges. A panel belongs to no model group, and gets its score when all its members have finished"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run_evaluator", sa.Column("members", postgresql.ARRAY(sa.Uuid())))
    op.add_column("run_evaluator", sa.Column("quorum", sa.Integer()))
    op.add_column("run_evaluator", sa.Column("member", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    for table in ("run_evaluator", "score"):
        op.alter_column(table, "group_id", nullable=True)
    op.create_check_constraint(
        op.f("run_evaluator_panel_check"),
        "run_evaluator",
        "num_nulls(members, quorum) IN (0, 2) AND (members IS NULL) = (group_id IS NOT NULL)",
    )
    op.create_check_constraint(
        op.f("score_panel_check"), "score", "group_id IS NOT NULL OR status IN ('NEW', 'SCORED', 'FAILED')"
    )
