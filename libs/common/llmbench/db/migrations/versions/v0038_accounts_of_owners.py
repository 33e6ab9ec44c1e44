"""Accounts of owners: the operator makes a link that resets an owner

PostgreSQL reads no row for this change.
"""

from alembic import op

revision = "0038"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("password_reset", "created_by", nullable=True)
