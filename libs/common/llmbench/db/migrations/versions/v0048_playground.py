"""Allow runs of the type PLAYGROUND

The new constraint allows more than the old one, so it is added without reading the rows, and validated after.
"""

from alembic import op

revision = "0048"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint(op.f("run_type_check"), "run")
    types = "'BENCHMARK', 'SINGLE', 'BATCH', 'JUDGE_CHECK', 'PLAYGROUND'"
    op.execute(f"ALTER TABLE run ADD CONSTRAINT run_type_check CHECK (type IN ({types})) NOT VALID")
    op.execute("ALTER TABLE run VALIDATE CONSTRAINT run_type_check")
