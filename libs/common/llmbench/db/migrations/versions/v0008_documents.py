"""Add documents, and the text of their pages"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("file_bytes", sa.BigInteger(), nullable=False),
        sa.Column("file_uri", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("empty_page_count", sa.Integer(), nullable=False),
        sa.Column("character_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["org_id"], ["organisation.id"], name="document_org_id_fkey", ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="document_pkey"),
        sa.UniqueConstraint("org_id", "name", name="document_org_id_name_key"),
    )
    op.create_index("document_org_id_created_at_id_idx", "document", ["org_id", "created_at", "id"], unique=False)
    op.create_table(
        "document_page",
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("document_page_number_check")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["document.id"], name="document_page_document_id_fkey", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "number", name="document_page_pkey"),
    )
