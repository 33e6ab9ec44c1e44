"""Cluster results by document or by a metadata key, and recompute the results of all runs

The token rate of several answers is now the sum of their tokens divided by the sum of their seconds.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0017"
branch_labels = None
depends_on = None

_LEVELS = "cluster_level IN ('case', 'conversation', 'document', 'metadata')"

# Like adapters/clusters.py: use a text or a number in the metadata field `document_id` or else `document`.
_NAMED = """CASE WHEN jsonb_typeof("case" #> '{{metadata,{name}}}') IN ('string', 'number')
    AND length("case" #>> '{{metadata,{name}}}') BETWEEN 1 AND 255 THEN "case" #>> '{{metadata,{name}}}' END"""
_DOCUMENT = f"coalesce({_NAMED.format(name='document_id')}, {_NAMED.format(name='document')})"
_KEYED = f"""
    CREATE TEMPORARY TABLE keyed ON COMMIT DROP AS
    WITH source AS (
        SELECT item.run_id, item.position, item.conversation_id, {_DOCUMENT} AS document
        FROM item JOIN run ON run.id = item.run_id WHERE item.position < run.case_count
    ), conversation AS (
        SELECT run_id, conversation_id, min(document) AS document
        FROM source WHERE conversation_id IS NOT NULL GROUP BY run_id, conversation_id
        HAVING count(document) = count(*) AND min(document) = max(document)
    ), nested AS (
        SELECT source.run_id, position,
               CASE WHEN source.conversation_id IS NULL THEN source.document ELSE conversation.document END AS key
        FROM source LEFT JOIN conversation USING (run_id, conversation_id)
    )
    SELECT run_id, position, key FROM nested WHERE key IS NOT NULL AND run_id IN (
        SELECT run_id FROM nested GROUP BY run_id
        HAVING count(DISTINCT key) > 1 OR count(key) BETWEEN 1 AND count(*) - 1
    )
"""  # noqa: S608  # made of constants


def upgrade() -> None:
    # Nullable without a default, so that no row is rewritten.
    op.add_column("item", sa.Column("cluster_key", sa.Text()))
    op.add_column("run", sa.Column("cluster_by", sa.Text()))
    op.add_column("run", sa.Column("cluster_level", sa.Text(), server_default=sa.text("'case'"), nullable=False))
    op.create_check_constraint(op.f("run_cluster_level_check"), "run", _LEVELS)
    _change_figures()
    _cluster_runs()


def _change_figures() -> None:
    """Delete all aggregated results. The orchestrator computes them again at its start, or when they are
    requested."""
    op.execute("TRUNCATE counted_block, block_figure, block_score_figure, run_ranking")
    op.create_table(
        "spanning_cluster",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="spanning_cluster_run_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "cluster", name="spanning_cluster_pkey"),
    )
    op.create_table(
        "block_cluster",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("evaluator_revision_id", sa.Uuid()),
        sa.Column("target_id", sa.Uuid()),
        sa.Column("category", sa.Text()),
        sa.Column("cluster", sa.Text(), nullable=False),
        _count("n"),
        sa.Column("x", sa.Float(), nullable=False),
        _count("verdicts"),
        _count("passed"),
        sa.ForeignKeyConstraint(
            ["run_id", "block"],
            ["counted_block.run_id", "counted_block.block"],
            name="block_cluster_run_id_block_fkey",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("num_nulls(target_id, category) >= 1", name=op.f("block_cluster_part_check")),
    )
    op.create_index("block_cluster_run_id_block_idx", "block_cluster", ["run_id", "block"])
    for table in ("block_figure", "block_score_figure"):
        for name in ("pass_clusters", "pass_nn", "pass_xx", "pass_xn"):
            op.add_column(table, _count(name))
    op.drop_column("block_figure", "rates")
    op.drop_column("block_figure", "tokens_per_second")
    op.add_column("block_figure", _count("generated_tokens"))
    op.add_column("block_figure", sa.Column("generating_s", sa.Float(), nullable=False))


def _cluster_runs() -> None:
    """Set the cluster key of items about documents. Store the cluster level of runs with documents or conversations, and
    the clusters that lie in several blocks."""
    op.execute(_KEYED)
    op.execute("ANALYZE keyed")
    op.execute(
        "UPDATE item SET cluster_key = keyed.key FROM keyed JOIN run ON run.id = keyed.run_id "
        "WHERE item.run_id = keyed.run_id AND item.position % run.case_count = keyed.position"
    )
    op.execute(
        "UPDATE run SET cluster_level = 'conversation' "
        "WHERE id IN (SELECT run_id FROM item WHERE conversation_id IS NOT NULL)"
    )
    op.execute("UPDATE run SET cluster_level = 'document' WHERE id IN (SELECT run_id FROM keyed)")
    # A run with conversations is one block, so only clusters of documents span blocks.
    op.execute(
        "INSERT INTO spanning_cluster (run_id, cluster) "
        "SELECT run_id, 'k' || key FROM keyed JOIN run ON run.id = run_id GROUP BY run_id, key "
        "HAVING min(position / block_cases) < max(position / block_cases)"
    )


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)
