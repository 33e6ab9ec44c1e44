"""Store the cause of each failed group and of each missing score; failures are grouped by cause

Earlier failures have no cause: readers use their kind instead.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run_group", sa.Column("failure_cause", sa.Text(), nullable=True))
    op.add_column("score", sa.Column("error_cause", sa.Text(), nullable=True))
