"""Let issuers end sessions, let the operator restore an owner's access, and store the creator of further objects

Rows that were created before have no `created_by`. PostgreSQL reads no row for these changes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0036"
branch_labels = None
depends_on = None

_CREATED = ("collection", "document", "evaluation_preset")
_ACTOR = "nullif(current_setting('app.actor', true), '')::uuid"


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
    for table in _CREATED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN created_by uuid")
        op.execute(f"ALTER TABLE {table} ALTER COLUMN created_by SET DEFAULT {_ACTOR}")
