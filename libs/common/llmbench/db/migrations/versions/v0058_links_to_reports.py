"""Add links that show the report of a run without sign-in"""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"


def upgrade() -> None:
    op.create_table(
        "report_link",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_by", sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("report_link_run_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("report_link_pkey")),
        sa.UniqueConstraint("token_hash", name=op.f("report_link_token_hash_key")),
    )
    op.create_index(op.f("report_link_run_id_created_at_idx"), "report_link", ["run_id", "created_at"])
    op.execute("ALTER TABLE report_link ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE report_link FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON report_link USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        "CREATE POLICY owner_for_everybody ON report_link TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
