"""Let suites have baselines and gates, let a gate apply to one task, and let schedules have a webhook

All versions of a suite belong to one row of the new table `suite_family`, which has the suite's baselines.

Existing runs of a suite are assigned to its family if the suite still exists. They are not compared with a baseline,
because a run is compared only when it ends.
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"


def upgrade() -> None:
    op.execute("SET LOCAL app.everybody = 'on'")
    op.create_table(
        "suite_family",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="suite_family_pkey"),
        sa.ForeignKeyConstraint(["org_id"], ["organisation.id"], name="suite_family_org_id_fkey", ondelete="RESTRICT"),
        sa.UniqueConstraint("org_id", "name", name="suite_family_org_id_name_key"),
    )
    op.execute(
        "INSERT INTO suite_family (id, org_id, name) "
        "SELECT gen_random_uuid(), org_id, name FROM suite GROUP BY org_id, name"
    )
    _isolate("suite_family")
    _families_of_suites()
    _families_of_runs()
    _families_of_baselines()
    _webhooks_of_schedules()
    op.add_column("gate", sa.Column("task", sa.Text(), nullable=True))
    op.drop_constraint("gate_baseline_id_metric_key", "gate")
    op.create_unique_constraint(
        "gate_baseline_id_metric_task_key",
        "gate",
        ["baseline_id", "metric", "task"],
        postgresql_nulls_not_distinct=True,
    )


def _webhooks_of_schedules() -> None:
    op.create_table(
        "schedule_webhook",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("schedule_id", sa.Uuid(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("sealed_secret", sa.LargeBinary(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.PrimaryKeyConstraint("id", name="schedule_webhook_pkey"),
        sa.ForeignKeyConstraint(
            ["schedule_id"], ["schedule.id"], name="schedule_webhook_schedule_id_fkey", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("schedule_id", name="schedule_webhook_schedule_id_key"),
    )
    _isolate("schedule_webhook")


def _families_of_suites() -> None:
    op.add_column("suite", sa.Column("family_id", sa.Uuid(), nullable=True))
    op.execute(
        "UPDATE suite SET family_id = suite_family.id FROM suite_family "
        "WHERE suite_family.org_id = suite.org_id AND suite_family.name = suite.name"
    )
    op.alter_column("suite", "family_id", nullable=False)
    op.create_foreign_key("suite_family_id_fkey", "suite", "suite_family", ["family_id"], ["id"], ondelete="RESTRICT")
    op.create_index("suite_family_id_idx", "suite", ["family_id"])


def _families_of_runs() -> None:
    op.add_column("run", sa.Column("suite_family_id", sa.Uuid(), nullable=True))
    op.execute(
        "UPDATE run SET suite_family_id = suite_family.id FROM run_suite, suite_family "
        "WHERE run_suite.run_id = run.id AND suite_family.org_id = run.org_id AND suite_family.name = run_suite.name"
    )
    op.create_foreign_key(
        "run_suite_family_id_fkey", "run", "suite_family", ["suite_family_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(
        "run_suite_family_id_idx", "run", ["suite_family_id"], postgresql_where=sa.text("suite_family_id IS NOT NULL")
    )


def _families_of_baselines() -> None:
    op.add_column("baseline", sa.Column("suite_family_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        "baseline_suite_family_id_fkey",
        "baseline",
        "suite_family",
        ["suite_family_id"],
        ["id"],
        ondelete="RESTRICT",
    )
    op.create_index("baseline_suite_family_id_idx", "baseline", ["suite_family_id"])
    op.create_unique_constraint(
        "baseline_org_id_suite_family_id_label_key", "baseline", ["org_id", "suite_family_id", "label"]
    )
    op.drop_constraint(op.f("baseline_subject_check"), "baseline")
    op.create_check_constraint(
        op.f("baseline_subject_check"), "baseline", "num_nonnulls(preset_id, suite_family_id) = 1"
    )


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
