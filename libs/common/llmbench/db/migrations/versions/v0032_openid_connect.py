"""Add sign-in through OpenID Connect: people's identities at issuers, unfinished sign-ins, and the identity with which
a session began"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "person_login",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("manages_role", sa.Boolean(), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="person_login_pkey"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="person_login_person_id_fkey", ondelete="CASCADE"),
        sa.UniqueConstraint("issuer", "subject", name="person_login_issuer_subject_key"),
    )
    op.create_index("person_login_person_id_idx", "person_login", ["person_id"])
    op.create_table(
        "sign_in_attempt",
        sa.Column("state_hash", sa.LargeBinary(), nullable=False),
        sa.Column("browser_hash", sa.LargeBinary(), nullable=False),
        sa.Column("issuer_name", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("next_path", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Uuid()),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name="sign_in_attempt_pkey"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="sign_in_attempt_person_id_fkey", ondelete="CASCADE"
        ),
    )
    op.create_index("sign_in_attempt_expires_at_idx", "sign_in_attempt", ["expires_at"])
    op.create_table(
        "session_login",
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("login_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="session_login_pkey"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["web_session.id"], name="session_login_session_id_fkey", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["login_id"], ["person_login.id"], name="session_login_login_id_fkey", ondelete="CASCADE"
        ),
    )
    op.create_index("session_login_login_id_idx", "session_login", ["login_id"])
