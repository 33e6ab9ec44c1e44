"""Compute the figures of blocks with cached answers again

`block_figure.priced` no longer counts cached answers, which cost nothing.
"""

from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL app.everybody = 'on'")
    # The foreign keys delete the other tables' rows about these blocks, too. They are counted again in the background.
    op.execute(
        "DELETE FROM counted_block WHERE (run_id, block) IN (SELECT run_id, block FROM block_figure WHERE cached > 0)"
    )
