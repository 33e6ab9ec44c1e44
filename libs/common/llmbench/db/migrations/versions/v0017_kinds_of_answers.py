"""Add the kind of each answer, the count of answers cut at their token limit, and the pass mark of panels

Existing answers keep a null kind, because it was not recorded. Existing answers that were cut get the same
`finish_reason` as new ones, so the stored results of their runs are computed again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("item", sa.Column("answer_kind", sa.Text(), nullable=True))
    op.add_column("block_figure", sa.Column("cut", sa.BigInteger(), nullable=False, server_default="0"))
    op.alter_column("block_figure", "cut", server_default=None)
    op.add_column("run_evaluator", sa.Column("pass_mark", sa.Float(), nullable=True))
    # Rankings are computed again, now with the facts about the judges.
    op.execute("DELETE FROM run_ranking")
    op.execute(
        """
        UPDATE item SET finish_reason = 'length'
        WHERE lower(finish_reason) IN ('max_tokens', 'max_output_tokens', 'model_length', 'token_limit',
                                       'model_context_window_exceeded')
        """
    )
    op.execute(
        """
        UPDATE run_block SET version = run_block.version + 1
        FROM (
            SELECT DISTINCT run.id AS run_id, item.position % run.case_count / run.block_cases AS block
            FROM item JOIN run ON run.id = item.run_id
            WHERE item.finish_reason = 'length' AND run.case_count > 0
        ) AS cut
        WHERE run_block.run_id = cut.run_id AND run_block.block = cut.block
        """
    )
