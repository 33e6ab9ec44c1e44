"""Add plans with limits, and count the usage of each organisation by day

The existing organisation is the operator's, so it gets the plan without limits. Calls of earlier days are not counted,
because that would read every stored call.
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_DEFAULT_ORG = "00000000-0000-7000-8000-000000000001"
_BOUND = "nullif(current_setting('app.org', true), '')::uuid"
_GIB = 1024**3


def upgrade() -> None:
    plan = op.create_table(
        "plan",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("concurrency", sa.Integer()),
        sa.Column("runs_a_day", sa.Integer()),
        sa.Column("storage_bytes", sa.BigInteger()),
        sa.Column("members", sa.Integer()),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("name", name="plan_pkey"),
        sa.CheckConstraint(
            "name IN ('FREE', 'STARTER', 'PROFESSIONAL', 'ENTERPRISE')", name=op.f("plan_name_check")
        ),
        sa.CheckConstraint(
            "concurrency > 0 AND runs_a_day >= 0 AND storage_bytes >= 0 AND members > 0", name=op.f("plan_limits_check")
        ),
    )
    names = ("name", "concurrency", "runs_a_day", "storage_bytes", "members")
    rows = (
        ("FREE", 10, 20, _GIB, 3),
        ("STARTER", 20, 100, 10 * _GIB, 10),
        ("PROFESSIONAL", 50, 1000, 100 * _GIB, 50),
        ("ENTERPRISE", None, None, None, None),
    )
    op.bulk_insert(plan, [dict(zip(names, row, strict=True)) for row in rows])
    # Everybody who works for an organisation may read the plans.
    _isolate("plan", f"(SELECT {_BOUND}) IS NOT NULL")
    op.execute(f"UPDATE organisation SET plan = 'ENTERPRISE' WHERE id = '{_DEFAULT_ORG}'")
    op.create_table(
        "runs_of_day",
        _org(),
        sa.Column("day", sa.Date(), nullable=False),
        _counter("runs", sa.Integer()),
        *_keys("runs_of_day", "org_id", "day"),
    )
    op.create_table(
        "usage_of_day",
        sa.Column("org_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        *(
            _counter(name, sa.BigInteger())
            for name in ("calls", "unpriced_calls", "prompt_tokens", "completion_tokens")
        ),
        sa.Column("cost_usd", sa.Float(), server_default=sa.text("0"), nullable=False),
        _counter("items", sa.BigInteger()),
        sa.PrimaryKeyConstraint("org_id", "day", "person_id", "model", name="usage_of_day_pkey"),
    )
    # Calls change the same rows again and again: room in the page keeps these updates out of the index.
    op.execute("ALTER TABLE usage_of_day SET (fillfactor = 50)")
    for table in ("runs_of_day", "usage_of_day"):
        _isolate(table, f"org_id = (SELECT {_BOUND})")


def _org() -> "sa.Column[object]":
    return sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False)


def _counter(name: str, kind: "sa.types.TypeEngine[int]") -> "sa.Column[int]":
    return sa.Column(name, kind, server_default=sa.text("0"), nullable=False)


def _keys(table: str, *primary: str) -> "list[sa.Constraint]":
    return [
        sa.PrimaryKeyConstraint(*primary, name=f"{table}_pkey"),
        sa.ForeignKeyConstraint(["org_id"], ["organisation.id"], name=f"{table}_org_id_fkey", ondelete="RESTRICT"),
    ]


def _isolate(table: str, condition: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows that meet the SQL `condition`."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING ({condition})")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
