"""Add checks of cases, evaluators that score only some cases, and the mapping of a file's columns

A task can now hold the same fields as a dataset's case: a system prompt, turns before the question, accepted answers,
metadata and checks.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0015"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("task", sa.Column("system_prompt", sa.Text))
    for name in ("conversation", "accepted_answers", "checks"):
        op.add_column("task", _list(name))
    op.add_column("task", sa.Column("metadata", JSONB, nullable=False, server_default=sa.text("'{}'")))
    op.add_column("test_case", _list("checks"))
    op.add_column("dataset_version", _list("mapping"))
    op.add_column("dataset_version", _list("warnings"))
    op.add_column("run_evaluator", sa.Column("only", JSONB))
    op.add_column("run_evaluator", sa.Column("unless", JSONB))
    op.add_column("run", sa.Column("show_choices", sa.Boolean, nullable=False, server_default=sa.text("true")))


def _list(name: str) -> "sa.Column[object]":
    return sa.Column(name, JSONB, nullable=False, server_default=sa.text("'[]'"))
