"""Let queued runs have a priority and be moved, and let a run take a sample of its cases"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("priority", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.add_column("run", sa.Column("queue_place", sa.Integer(), nullable=True))
    op.add_column("run", sa.Column("sample", JSONB(), nullable=True))
    op.create_check_constraint(op.f("run_priority_check"), "run", "priority BETWEEN -100 AND 100")
