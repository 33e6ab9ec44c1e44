"""Add prompts with versions, and the prompt of a run's target"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"


def upgrade() -> None:
    op.create_table(
        "prompt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_by", sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
        sa.ForeignKeyConstraint(["org_id"], ["organisation.id"], name=op.f("prompt_org_id_fkey"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f("prompt_pkey")),
        sa.UniqueConstraint("org_id", "name", name=op.f("prompt_org_id_name_key")),
    )
    op.create_table(
        "prompt_version",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("prompt_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("system_template", sa.Text(), nullable=True),
        sa.Column("user_template", sa.Text(), nullable=False),
        sa.Column("variables", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("created_by", sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("prompt_version_number_check")),
        sa.ForeignKeyConstraint(
            ["prompt_id"], ["prompt.id"], name=op.f("prompt_version_prompt_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("prompt_version_pkey")),
        sa.UniqueConstraint("prompt_id", "number", name=op.f("prompt_version_prompt_id_number_key")),
    )
    op.add_column("target", sa.Column("prompt", postgresql.JSONB(none_as_null=True), nullable=True))
    for table in ("prompt", "prompt_version"):
        _isolate(table)


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
