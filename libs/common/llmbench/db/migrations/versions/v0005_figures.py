"""Store aggregated results per block of cases. Let the deletion of a run use the indexes of its items and scores"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _cut_runs_into_blocks()
    _create_figures()
    _groups_of_the_same_run()


def _cut_runs_into_blocks() -> None:
    op.add_column("run", sa.Column("case_count", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.add_column("run", sa.Column("block_cases", sa.Integer(), server_default=sa.text("1"), nullable=False))
    # The same block size as in domain/blocks.py: about a thousand items.
    op.execute(
        "UPDATE run SET case_count = item_count / answers, block_cases = greatest(1, 1000 / answers) FROM "
        "(SELECT run_id, sum(epochs)::integer AS answers FROM target GROUP BY run_id) AS planned "
        "WHERE planned.run_id = run.id"
    )
    op.create_table(
        "run_block",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="run_block_run_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "block", name="run_block_pkey"),
    )
    # No block has aggregated results yet. The orchestrator computes them at its start, or earlier for a reader.
    op.execute(
        "INSERT INTO run_block (run_id, block) SELECT id, generate_series(0, (case_count - 1) / block_cases) FROM run "
        "WHERE case_count > 0"
    )


def _create_figures() -> None:
    op.create_table(
        "counted_block",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("evaluators", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "block"],
            ["run_block.run_id", "run_block.block"],
            name="counted_block_run_id_block_fkey",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "block", name="counted_block_pkey"),
    )
    op.create_table(
        "block_figure",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("target_id", sa.Uuid()),
        sa.Column("category", sa.Text()),
        *_counts("items", "completed", "failed", "scored", "verdicts", "passed", "clusters", "nn"),
        *_sums("x", "xx", "xn"),
        *_counts("timed", "cached", "first_tokens", "rates", "time_ms", "first_token_ms"),
        *_sums("tokens_per_second"),
        *_counts("prompt_tokens", "completion_tokens", "reasoning_tokens", "estimated_usage", "priced"),
        *_sums("cost_usd"),
        _of_block("block_figure"),
        sa.CheckConstraint("num_nulls(target_id, category) >= 1", name=op.f("block_figure_part_check")),
    )
    op.create_index("block_figure_run_id_block_idx", "block_figure", ["run_id", "block"])
    op.create_table(
        "block_score_figure",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("evaluator_revision_id", sa.Uuid(), nullable=False),
        sa.Column("target_id", sa.Uuid()),
        *_counts("asked", "scored", "unparsed", "refused", "errored", "pending", "verdicts", "passed", "priced"),
        *_sums("cost_usd"),
        *_counts("clusters", "nn"),
        *_sums("x", "xx", "xn"),
        _of_block("block_score_figure"),
    )
    op.create_index("block_score_figure_run_id_block_idx", "block_score_figure", ["run_id", "block"])
    op.create_table(
        "run_ranking",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("body", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("counted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("took_s", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="run_ranking_run_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name="run_ranking_pkey"),
    )


def _groups_of_the_same_run() -> None:
    """Add the run's id to the foreign keys that refer to groups.

    PostgreSQL then finds the items and scores of a deleted group by the index on the run. The index on the group is of
    no use for this, because it covers only pending work.
    """
    op.create_unique_constraint("run_group_run_id_id_key", "run_group", ["run_id", "id"])
    for table in ("item", "score"):
        op.drop_constraint(f"{table}_group_id_fkey", table, type_="foreignkey")
        op.create_foreign_key(
            f"{table}_run_id_group_id_fkey",
            table,
            "run_group",
            ["run_id", "group_id"],
            ["run_id", "id"],
            ondelete="CASCADE",
        )


def _counts(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger(), nullable=False) for name in names]


def _sums(*names: str) -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Float(), nullable=False) for name in names]


def _of_block(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["run_id", "block"],
        ["counted_block.run_id", "counted_block.block"],
        name=f"{table}_run_id_block_fkey",
        ondelete="CASCADE",
    )
