"""Add suites with versions, the tasks of suite runs, and the task of each item of such a run"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_BOUND = "nullif(current_setting('app.org', true), '')::uuid"
_NOW = sa.text("now()")
_EMPTY = sa.text("'{}'")


def upgrade() -> None:
    op.create_table(
        "suite",
        sa.Column("id", sa.Uuid(), nullable=False),
        _owner(),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version_number", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("definition", JSONB(), server_default=_EMPTY, nullable=False),
        sa.Column("dataset_version_ids", ARRAY(sa.Uuid()), server_default=_EMPTY, nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=_NOW, nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=_NOW, nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("status IN ('DRAFT', 'PUBLISHED')", name=op.f("suite_status_check")),
        sa.CheckConstraint(
            "(status = 'PUBLISHED') = (published_at IS NOT NULL)", name=op.f("suite_published_check")
        ),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisation.id"], name=op.f("suite_org_id_fkey"), ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("suite_pkey")),
        sa.UniqueConstraint("org_id", "name", "version_number", name=op.f("suite_org_id_name_version_number_key")),
    )
    op.create_index(
        "suite_one_draft", "suite", ["org_id", "name"], unique=True, postgresql_where=sa.text("status = 'DRAFT'")
    )
    op.create_index(
        op.f("suite_dataset_version_ids_idx"), "suite", ["dataset_version_ids"], postgresql_using="gin"
    )
    op.create_table(
        "run_suite",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("suite_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version_number", sa.Integer(), nullable=False),
        sa.Column("aggregation", sa.Text(), nullable=False),
        sa.Column("task_count", sa.Integer(), nullable=False),
        sa.Column("left_out", ARRAY(sa.Text()), server_default=_EMPTY, nullable=False),
        _owner(),
        sa.CheckConstraint(
            "aggregation IN ('mean', 'weighted', 'macro')", name=op.f("run_suite_aggregation_check")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("run_suite_run_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name=op.f("run_suite_pkey")),
    )
    op.create_index(op.f("run_suite_suite_id_idx"), "run_suite", ["suite_id"])
    op.create_table(
        "run_suite_task",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("source_name", sa.Text(), nullable=False),
        sa.Column("source_version", sa.Integer(), nullable=True),
        sa.Column("params", JSONB(), server_default=_EMPTY, nullable=False),
        sa.Column("epochs", sa.Integer(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("after", ARRAY(sa.Text()), server_default=_EMPTY, nullable=False),
        sa.Column("estimated_seconds", sa.Float(), nullable=True),
        sa.Column("source_cases", sa.Integer(), nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.Column("sample", JSONB(), nullable=True),
        _owner(),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("run_suite_task_run_id_fkey"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "name", name=op.f("run_suite_task_pkey")),
    )
    for table in ("suite", "run_suite", "run_suite_task"):
        _isolate(table)
    op.add_column("item", sa.Column("suite_task", sa.Text(), nullable=True))


def _owner() -> "sa.Column[object]":
    return sa.Column("org_id", sa.Uuid(), server_default=sa.text(f"({_BOUND})"), nullable=False)


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
