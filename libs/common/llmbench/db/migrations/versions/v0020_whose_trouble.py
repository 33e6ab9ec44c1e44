"""Store in each model group the item or score whose request may cause its failures, and the reason why its account has
no credit

In the index of pending work, calls that have already failed now come after all others, so they are sent last.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run_group", sa.Column("suspect_id", sa.Uuid(), nullable=True))
    op.add_column("run_group", sa.Column("out_of_credit_reason", sa.Text(), nullable=True))
    for table in ("item", "score"):
        op.drop_index(f"{table}_claim", table_name=table)
        op.create_index(
            f"{table}_claim",
            table,
            ["group_id", sa.text("next_attempt_at NULLS FIRST"), "position"],
            unique=False,
            postgresql_where=sa.text("status = 'NEW'"),
        )
