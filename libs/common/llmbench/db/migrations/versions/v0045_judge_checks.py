"""Let a judge score stored answers of the baseline again before gates are decided, to detect a changed judge

The CHECK constraints on a run's type and on a verdict are replaced. PostgreSQL reads both tables once for this.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0045"
down_revision = "0049"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_TYPES = "'BENCHMARK', 'SINGLE', 'BATCH', 'JUDGE_CHECK'"
_VERDICTS = "'pending', 'fine', 'worse', 'undecided', 'low coverage', 'not judged', 'the judge changed'"


def upgrade() -> None:
    op.drop_constraint(op.f("run_type_check"), "run")
    op.create_check_constraint(op.f("run_type_check"), "run", f"type IN ({_TYPES})")
    op.drop_constraint(op.f("gate_verdict_verdict_check"), "gate_verdict")
    op.create_check_constraint(op.f("gate_verdict_verdict_check"), "gate_verdict", f"verdict IN ({_VERDICTS})")
    op.create_table(
        "judge_check",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("source_run_id", sa.Uuid(), nullable=False),
        sa.Column("run_finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("check_run_id", sa.Uuid(), nullable=False),
        sa.Column("item_ids", ARRAY(sa.Uuid()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        *(
            sa.ForeignKeyConstraint([column], ["run.id"], name=op.f(f"judge_check_{column}_fkey"), ondelete="CASCADE")
            for column in ("run_id", "source_run_id", "check_run_id")
        ),
        sa.PrimaryKeyConstraint("run_id", "source_run_id", name=op.f("judge_check_pkey")),
    )
    op.create_index(op.f("judge_check_source_run_id_idx"), "judge_check", ["source_run_id"])
    op.create_index(op.f("judge_check_check_run_id_idx"), "judge_check", ["check_run_id"])
    op.execute("ALTER TABLE judge_check ENABLE ROW LEVEL SECURITY")
    op.execute("ALTER TABLE judge_check FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON judge_check USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        "CREATE POLICY owner_for_everybody ON judge_check TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
