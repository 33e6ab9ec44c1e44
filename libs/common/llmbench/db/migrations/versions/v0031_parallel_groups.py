"""Let a run have several model groups at work at the same time"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("parallel_groups", sa.Integer(), server_default=sa.text("1"), nullable=False))
    op.create_check_constraint(op.f("run_parallel_groups_check"), "run", "parallel_groups BETWEEN 1 AND 16")
