"""Add datasets: versions, test cases, ground truth, and the versions that a run uses"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dataset",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("tags", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("metadata", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "type IN ('EVALUATION', 'BENCHMARK', 'GOLDEN_SET', 'ANNOTATION_QUEUE')", name=op.f("dataset_type_check")
        ),
        sa.ForeignKeyConstraint(["org_id"], ["organisation.id"], name="dataset_org_id_fkey", ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="dataset_pkey"),
        sa.UniqueConstraint("org_id", "name", name="dataset_org_id_name_key"),
    )
    op.create_index("dataset_org_id_created_at_id_idx", "dataset", ["org_id", "created_at", "id"], unique=False)
    op.create_index("dataset_tags_idx", "dataset", ["tags"], unique=False, postgresql_using="gin")
    op.create_table(
        "dataset_version",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("version_number", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("file_uri", sa.Text(), nullable=False),
        sa.Column("file_format", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=True),
        sa.Column("file_bytes", sa.BigInteger(), nullable=False),
        sa.Column("header", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("row_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "schema_columns", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False
        ),
        sa.Column("schema_hash", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("validation_status", sa.Text(), nullable=False),
        sa.Column(
            "validation_errors", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False
        ),
        sa.Column("validation_error_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deprecated_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(status = 'DEPRECATED') = (deprecated_at IS NOT NULL)", name=op.f("dataset_version_deprecated_check")
        ),
        sa.CheckConstraint("(status = 'DRAFT') = (published_at IS NULL)", name=op.f("dataset_version_published_check")),
        sa.CheckConstraint("status = 'DRAFT' OR validation_status = 'VALID'", name=op.f("dataset_version_valid_check")),
        sa.CheckConstraint("status IN ('DRAFT', 'PUBLISHED', 'DEPRECATED')", name=op.f("dataset_version_status_check")),
        sa.CheckConstraint(
            "validation_status IN ('PENDING', 'VALID', 'INVALID')", name=op.f("dataset_version_validation_status_check")
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["dataset.id"], name="dataset_version_dataset_id_fkey", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="dataset_version_pkey"),
        sa.UniqueConstraint("dataset_id", "version_number", name="dataset_version_dataset_id_version_number_key"),
    )
    op.create_index("dataset_version_dataset_id_status_idx", "dataset_version", ["dataset_id", "status"], unique=False)
    op.create_table(
        "run_dataset_version",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version_number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="run_dataset_version_run_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "version_id", name="run_dataset_version_pkey"),
    )
    op.create_index("run_dataset_version_version_id_idx", "run_dataset_version", ["version_id"], unique=False)
    op.create_table(
        "test_case",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("row_index", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("input", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("expected_output", sa.Text(), nullable=True),
        sa.Column("metadata", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"], ["dataset_version.id"], name="test_case_version_id_fkey", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="test_case_pkey"),
        sa.UniqueConstraint("version_id", "name", name="test_case_version_id_name_key"),
        sa.UniqueConstraint("version_id", "row_index", name="test_case_version_id_row_index_key"),
    )
    op.create_table(
        "ground_truth",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("test_case_id", sa.Uuid(), nullable=False),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "source IN ('HUMAN_CONSENSUS', 'EXPERT', 'AUTOMATED', 'IMPORTED')", name=op.f("ground_truth_source_check")
        ),
        sa.CheckConstraint("confidence BETWEEN 0 AND 1", name=op.f("ground_truth_confidence_check")),
        sa.ForeignKeyConstraint(
            ["test_case_id"], ["test_case.id"], name="ground_truth_test_case_id_fkey", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="ground_truth_pkey"),
        sa.UniqueConstraint("test_case_id", name="ground_truth_test_case_id_key"),
    )
