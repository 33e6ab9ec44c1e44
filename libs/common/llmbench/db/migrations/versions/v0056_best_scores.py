"""Store the best mean score of a run, by which the list of runs is sorted

Computed for each request, it took seconds for 100,000 runs.
"""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("counted_block", sa.Column("best_score", sa.Float(), nullable=True))
    op.execute("SET LOCAL app.everybody = 'on'")
    op.execute(
        """
        UPDATE counted_block SET best_score = best.mean
        FROM (
            SELECT run_id, max(mean) AS mean FROM (
                SELECT run_id, sum(x) / nullif(sum(scored), 0)::float8 AS mean
                FROM block_figure WHERE target_id IS NOT NULL GROUP BY run_id, target_id
            ) AS target_mean GROUP BY run_id
        ) AS best
        WHERE counted_block.run_id = best.run_id AND counted_block.block = 0
        """
    )
