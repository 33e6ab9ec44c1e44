"""Let a run choose its evaluators, each with a weight and a threshold, with or without a model"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in ("judge_provider_id", "judge_provider_name", "judge_model"):
        op.alter_column("run", column, nullable=True)
    op.create_check_constraint(
        op.f("run_judge_check"), "run", "num_nulls(judge_provider_id, judge_provider_name, judge_model) IN (0, 3)"
    )

    for column in ("provider_id", "model", "token"):
        op.alter_column("run_group", column, nullable=True)
    op.create_check_constraint(
        op.f("run_group_lane_check"),
        "run_group",
        "num_nulls(provider_id, model, token) = 0 OR "
        "num_nulls(provider_id, model, token) = 3 AND phase = 'JUDGING'",
    )
    op.create_index(
        "run_group_by_program", "run_group", ["run_id"], unique=True, postgresql_where=sa.text("provider_id IS NULL")
    )

    op.add_column(
        "run_evaluator", sa.Column("title", sa.Text(), server_default=sa.text("'Rubric'"), nullable=False)
    )
    op.add_column("run_evaluator", sa.Column("pass_threshold", sa.Float()))
