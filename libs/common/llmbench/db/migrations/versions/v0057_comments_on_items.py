"""Add the comments that people write on items"""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"


def upgrade() -> None:
    op.create_table(
        "item_comment",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("given_name", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_by", sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("item_comment_item_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("item_comment_pkey")),
    )
    op.create_index(op.f("item_comment_item_id_created_at_idx"), "item_comment", ["item_id", "created_at"])
    op.execute("ALTER TABLE item_comment ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE item_comment FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON item_comment USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        "CREATE POLICY owner_for_everybody ON item_comment TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
