"""Let a run of the type JUDGE_CHECK name the run whose judges it checks, and be deleted with that run

The foreign key is added without reading the rows, and validated after. The new index covers only the few runs
that are checks.
"""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("check_of_run_id", sa.Uuid(), nullable=True))
    op.execute("SET LOCAL app.everybody = 'on'")
    op.execute(
        "UPDATE run SET check_of_run_id = judge_check.run_id FROM judge_check WHERE judge_check.check_run_id = run.id"
    )
    name = op.f("run_check_of_run_id_fkey")
    op.execute(
        f"ALTER TABLE run ADD CONSTRAINT {name} FOREIGN KEY (check_of_run_id) REFERENCES run (id) "
        "ON DELETE CASCADE NOT VALID"
    )
    op.execute(f"ALTER TABLE run VALIDATE CONSTRAINT {name}")
    op.create_index(
        op.f("run_check_of_run_id_idx"),
        "run",
        ["check_of_run_id"],
        postgresql_where=sa.text("check_of_run_id IS NOT NULL"),
    )
