"""Sessions that their issuer ends, and the operator's link that resets an owner

PostgreSQL reads no row for these changes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("password_reset", "created_by", nullable=True)
    op.add_column("session_login", sa.Column("issuer_session", sa.Text()))
    op.create_table(
        "logout_token",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("id_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "id_hash", name="logout_token_pkey"),
    )
    op.create_index("logout_token_expires_at_idx", "logout_token", ["expires_at"])
