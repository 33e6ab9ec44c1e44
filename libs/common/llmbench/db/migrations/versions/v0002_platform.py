"""Add prices and costs, epochs, reuse of answers, several evaluators in a run, and idempotency keys"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _json_list() -> postgresql.JSONB:
    return postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    op.add_column("organisation", sa.Column("defaults_created_at", sa.DateTime(timezone=True)))
    op.add_column("provider", sa.Column("prices", _json_list(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("task", sa.Column("source_file", sa.Text()))
    op.add_column("task", sa.Column("source_line", sa.Integer()))

    op.add_column("run", sa.Column("description", sa.Text()))
    op.add_column(
        "run", sa.Column("tags", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False)
    )
    op.add_column("run", sa.Column("baseline_run_id", sa.Uuid()))
    op.create_foreign_key("run_baseline_run_id_fkey", "run", "run", ["baseline_run_id"], ["id"], ondelete="SET NULL")
    op.add_column("run", sa.Column("warnings", _json_list(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("run", sa.Column("max_cost_usd", sa.Float()))
    op.add_column("run", sa.Column("cost_usd", sa.Float(), server_default=sa.text("0"), nullable=False))
    op.add_column("run", sa.Column("unpriced_count", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_index("run_tags_idx", "run", ["tags"], postgresql_using="gin")
    op.create_index("run_baseline_run_id_idx", "run", ["baseline_run_id"])

    op.add_column("target", sa.Column("epochs", sa.Integer(), server_default=sa.text("1"), nullable=False))
    op.add_column("target", sa.Column("timeout_s", sa.Float()))
    op.add_column("target", sa.Column("max_attempts", sa.Integer()))
    op.add_column("target", sa.Column("use_cache", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.execute(
        "UPDATE target SET timeout_s = run.timeout_s, max_attempts = run.max_attempts FROM run WHERE run.id = run_id"
    )
    op.alter_column("target", "timeout_s", nullable=False)
    op.alter_column("target", "max_attempts", nullable=False)

    op.add_column("item", sa.Column("first_content_ms", sa.Integer()))
    op.add_column("item", sa.Column("reasoning_tokens", sa.Integer()))
    op.add_column("item", sa.Column("usage_source", sa.Text()))
    op.add_column("item", sa.Column("cost_usd", sa.Float()))
    op.add_column("item", sa.Column("cached", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("item", sa.Column("score_revision_id", sa.Uuid()))
    op.create_foreign_key(
        "item_score_revision_id_fkey",
        "item",
        "evaluator_revision",
        ["score_revision_id"],
        ["id"],
        ondelete="RESTRICT",
    )
    # Until now a run had one revision, so all existing scores belong to it.
    op.execute(
        "UPDATE item SET score_revision_id = run_evaluator.evaluator_revision_id FROM run_evaluator "
        "WHERE run_evaluator.run_id = item.run_id AND item.score IS NOT NULL"
    )
    op.execute(
        "UPDATE item SET first_content_ms = (outcome->'timings'->>'first_content_ms')::int, "
        "reasoning_tokens = (outcome->'usage'->>'reasoning_tokens')::int, "
        "usage_source = COALESCE(outcome->'usage'->>'source', 'reported') "
        "FROM model_call WHERE model_call.id = item.call_id"
    )
    op.add_column("run_evaluator", sa.Column("slot", sa.Text(), server_default=sa.text("'rubric'"), nullable=False))
    op.add_column("run_evaluator", sa.Column("whole", sa.Boolean(), server_default=sa.text("true"), nullable=False))
    op.add_column("score", sa.Column("cost_usd", sa.Float()))

    op.add_column("model_call", sa.Column("epoch", sa.Integer(), server_default=sa.text("1"), nullable=False))
    op.add_column("model_call", sa.Column("cached_from", sa.Uuid()))
    op.create_index(
        "model_call_reusable",
        "model_call",
        ["request_hash", "epoch"],
        postgresql_where=sa.text("cached_from IS NULL"),
    )

    op.create_table(
        "idempotency_key",
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisation.id"], name="idempotency_key_org_id_fkey", ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="idempotency_key_run_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("org_id", "key", name="idempotency_key_pkey"),
    )
    op.create_index("idempotency_key_run_id_idx", "idempotency_key", ["run_id"])
