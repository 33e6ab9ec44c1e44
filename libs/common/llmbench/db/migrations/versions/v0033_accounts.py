"""Add second factors, links that reset a password, service accounts, and the address and device of each session

The new columns are nullable or have a constant default, so PostgreSQL rewrites no table.
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_BOUND = "nullif(current_setting('app.org', true), '')::uuid"


def upgrade() -> None:
    op.execute(
        "ALTER TABLE person ADD COLUMN service_of uuid "
        "CONSTRAINT person_service_of_fkey REFERENCES organisation (id) ON DELETE CASCADE"
    )
    op.add_column("web_session", sa.Column("address", sa.Text()))
    op.add_column("web_session", sa.Column("device", sa.Text()))
    op.add_column("web_session", _now("used_at"))
    op.add_column("web_session", sa.Column("strong", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.create_table(
        "second_factor",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("sealed_secret", sa.LargeBinary(), nullable=False),
        _now("created_at"),
        sa.Column("confirmed_at", sa.DateTime(timezone=True)),
        sa.Column("last_step", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="second_factor_pkey"),
        _person("second_factor", "person_id"),
        sa.UniqueConstraint("person_id", name="second_factor_person_id_key"),
    )
    op.create_table(
        "recovery_code",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        _now("created_at"),
        sa.PrimaryKeyConstraint("id", name="recovery_code_pkey"),
        _person("recovery_code", "person_id"),
    )
    op.create_index("recovery_code_person_id_idx", "recovery_code", ["person_id"])
    op.create_table(
        "password_reset",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("second_factor", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=False),
        _now("created_at"),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="password_reset_pkey"),
        sa.ForeignKeyConstraint(
            ["org_id"], ["organisation.id"], name="password_reset_org_id_fkey", ondelete="RESTRICT"
        ),
        _person("password_reset", "person_id"),
        _person("password_reset", "created_by"),
        sa.UniqueConstraint("token_hash", name="password_reset_token_hash_key"),
    )
    op.create_index("password_reset_org_id_idx", "password_reset", ["org_id"])
    op.create_index("password_reset_person_id_idx", "password_reset", ["person_id"])
    _isolate("password_reset")


def _now(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False)


def _person(table: str, column: str) -> "sa.ForeignKeyConstraint":
    return sa.ForeignKeyConstraint([column], ["person.id"], name=f"{table}_{column}_fkey", ondelete="CASCADE")


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
