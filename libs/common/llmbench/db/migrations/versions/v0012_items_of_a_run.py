"""Add an index to read all items of one run when there are many runs"""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("item_run_id_idx"), "item", ["run_id"])
