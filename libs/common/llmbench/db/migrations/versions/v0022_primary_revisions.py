"""Store the primary revision of each evaluator of a run, and how long each run took

Until now the primary revision was the last one that was to score all answered items, even if it gave no score. From now
on it is the last such revision that gave a score. Where this changes the primary revision, the run's results are
computed again.

A run takes the time from its start to its end. If it was reopened, the time between an end and the next start is left
out.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0020"
branch_labels = None
depends_on = None

_CHOSEN = """
    CREATE TEMPORARY TABLE chosen ON COMMIT DROP AS
    WITH candidate AS (
        SELECT run_id, slot, evaluator_revision_id, position, count(*) OVER (PARTITION BY run_id, slot) AS among,
               max(position) OVER (PARTITION BY run_id, slot) AS last
        FROM run_evaluator WHERE whole AND NOT member
    )
    SELECT DISTINCT ON (run_id, slot) run_id, slot, evaluator_revision_id, position < last AS differs
    FROM candidate
    ORDER BY run_id, slot, among > 1 AND EXISTS (
        SELECT FROM score WHERE score.run_id = candidate.run_id AND score.status = 'SCORED'
               AND score.evaluator_revision_id = candidate.evaluator_revision_id
    ) DESC, position DESC
"""
# The time that a reopened run took is the sum of its periods. A period begins with the run's start, or with the first
# RUNNING after an end, and lasts until the next end.
_TOOK = """
    WITH change AS (
        SELECT run_event.run_id, run_seq, run_event.at, body ->> 'status' IN ('FINISHED', 'CANCELLED') AS over
        FROM run_event JOIN run ON run.id = run_event.run_id
        WHERE run_event.type = 'llmbench.run.status_changed.v1' AND run.finished_at IS NOT NULL
    ), numbered AS (
        SELECT *, count(*) FILTER (WHERE over) OVER (PARTITION BY run_id ORDER BY run_seq)
                  - CASE WHEN over THEN 1 ELSE 0 END AS period
        FROM change
    ), period AS (
        SELECT run_id, period, min(at) FILTER (WHERE NOT over) AS began, max(at) FILTER (WHERE over) AS ended
        FROM numbered GROUP BY run_id, period
    ), summed AS (
        SELECT period.run_id, count(*) AS periods, max(period.began) AS last_began,
               sum(extract(epoch FROM ended - CASE period WHEN 0 THEN run.started_at ELSE began END)) AS took_s
        FROM period JOIN run ON run.id = period.run_id WHERE ended IS NOT NULL GROUP BY period.run_id
    )
    UPDATE run SET took_s = summed.took_s, reopened_at = summed.last_began
    FROM summed WHERE summed.run_id = run.id AND periods > 1 AND summed.took_s >= 0
"""


def upgrade() -> None:
    op.add_column("run_evaluator", sa.Column("primary", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.execute(_CHOSEN)
    op.execute(
        'UPDATE run_evaluator SET "primary" = true FROM chosen WHERE chosen.run_id = run_evaluator.run_id '
        "AND chosen.evaluator_revision_id = run_evaluator.evaluator_revision_id"
    )
    op.create_check_constraint(op.f("run_evaluator_primary_check"), "run_evaluator", 'NOT ("primary" AND member)')
    op.create_index(
        "run_evaluator_primary", "run_evaluator", ["run_id", "slot"], unique=True, postgresql_where=sa.text('"primary"')
    )
    for table in ("counted_block", "run_ranking"):
        # The foreign keys delete the other tables' rows about these blocks, too.
        op.execute(f"DELETE FROM {table} WHERE run_id IN (SELECT run_id FROM chosen WHERE differs)")  # noqa: S608
    op.add_column("run", sa.Column("reopened_at", sa.DateTime(timezone=True)))
    op.add_column("run", sa.Column("took_s", sa.Float(), server_default=sa.text("0"), nullable=False))
    op.execute(
        "UPDATE run SET took_s = extract(epoch FROM finished_at - started_at) "
        "WHERE finished_at IS NOT NULL AND started_at IS NOT NULL"
    )
    op.execute(_TOOK)
