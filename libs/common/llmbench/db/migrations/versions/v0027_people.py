"""Add people who sign in, with roles, sessions, API keys and an audit log, and who created each object

Rows that were created before have no `created_by`. The new columns are nullable and without a constant default, so
PostgreSQL rewrites no table.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_DEFAULT_ORG = "00000000-0000-7000-8000-000000000001"
_BOUND = "nullif(current_setting('app.org', true), '')::uuid"
_ACTOR = "nullif(current_setting('app.actor', true), '')::uuid"
_ROLES = "role IN ('owner', 'admin', 'member', 'viewer', 'annotator')"
_CREATED = ("dataset", "provider", "run", "task")
_OUTBOXES = ("config_outbox", "run_outbox")


def upgrade() -> None:
    # The owner of the tables sees no organisation otherwise.
    op.execute("SET LOCAL app.everybody = 'on'")
    _organisation()
    op.create_table(
        "person",
        _id(),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text()),
        _time("disabled_at"),
        _now("created_at"),
        _now("updated_at"),
        sa.PrimaryKeyConstraint("id", name="person_pkey"),
        sa.UniqueConstraint("email", name="person_email_key"),
    )
    op.create_table(
        "membership",
        _org(),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        _now("created_at"),
        sa.CheckConstraint(_ROLES, name=op.f("membership_role_check")),
        *_keys("membership", "org_id", "person_id"),
        _person("membership"),
    )
    op.create_index("membership_person_id_idx", "membership", ["person_id"])
    op.create_table(
        "invitation",
        _id(),
        _org(),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("email", sa.Text()),
        sa.Column("created_by", sa.Uuid()),
        _now("created_at"),
        _time("expires_at", nullable=False),
        _time("used_at"),
        sa.CheckConstraint(_ROLES, name=op.f("invitation_role_check")),
        *_keys("invitation", "id"),
        sa.ForeignKeyConstraint(
            ["created_by"], ["person.id"], name="invitation_created_by_fkey", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("token_hash", name="invitation_token_hash_key"),
    )
    op.create_index("invitation_org_id_idx", "invitation", ["org_id"])
    op.create_table(
        "web_session",
        _id(),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("current_org_id", sa.Uuid()),
        _now("created_at"),
        _time("expires_at", nullable=False),
        _time("idle_expires_at", nullable=False),
        _time("revoked_at"),
        sa.PrimaryKeyConstraint("id", name="web_session_pkey"),
        _person("web_session"),
        sa.ForeignKeyConstraint(
            ["current_org_id"], ["organisation.id"], name="web_session_current_org_id_fkey", ondelete="SET NULL"
        ),
        sa.UniqueConstraint("token_hash", name="web_session_token_hash_key"),
    )
    op.create_index("web_session_person_id_idx", "web_session", ["person_id"])
    op.create_table(
        "api_key",
        _id(),
        _org(),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary(), nullable=False),
        sa.Column("scopes", JSONB()),
        _now("created_at"),
        _time("expires_at"),
        _time("last_used_at"),
        *_keys("api_key", "id"),
        _person("api_key"),
        sa.UniqueConstraint("org_id", "name", name="api_key_org_id_name_key"),
    )
    op.create_index("api_key_person_id_idx", "api_key", ["person_id"])
    op.create_table(
        "audit_entry",
        _id(),
        _org(),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("person_id", sa.Uuid()),
        sa.Column("person_name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text()),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("resource_id", sa.Text()),
        sa.Column("before", JSONB()),
        sa.Column("after", JSONB()),
        *_keys("audit_entry", "id"),
    )
    op.create_index("audit_entry_org_id_id_idx", "audit_entry", ["org_id", "id"])
    op.execute(
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_entry "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
    )
    op.create_table(
        "signing_key",
        _id(),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=False),
        _now("created_at"),
        sa.PrimaryKeyConstraint("id", name="signing_key_pkey"),
    )
    for table in ("membership", "invitation", "api_key", "audit_entry"):
        _isolate(table)
    for table in _CREATED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN created_by uuid")
        op.execute(f"ALTER TABLE {table} ALTER COLUMN created_by SET DEFAULT {_ACTOR}")
    for table in _OUTBOXES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN person_id uuid")
        op.execute(f"ALTER TABLE {table} ALTER COLUMN person_id SET DEFAULT {_ACTOR}")


def _organisation() -> None:
    op.execute("ALTER TABLE organisation ADD COLUMN slug text NOT NULL DEFAULT (gen_random_uuid())::text")
    op.execute(f"UPDATE organisation SET slug = 'default' WHERE id = '{_DEFAULT_ORG}'")
    op.execute("ALTER TABLE organisation ADD CONSTRAINT organisation_slug_key UNIQUE (slug)")
    op.execute("ALTER TABLE organisation ADD COLUMN plan text NOT NULL DEFAULT 'FREE'")
    op.execute(
        "ALTER TABLE organisation ADD CONSTRAINT organisation_plan_check "
        "CHECK (plan IN ('FREE', 'STARTER', 'PROFESSIONAL', 'ENTERPRISE'))"
    )
    op.execute("ALTER TABLE organisation ADD COLUMN settings jsonb NOT NULL DEFAULT '{}'")
    op.execute("ALTER TABLE organisation ADD COLUMN billing_email text")
    op.execute("ALTER TABLE organisation ADD COLUMN version integer NOT NULL DEFAULT 1")
    op.execute("ALTER TABLE organisation ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now()")
    op.create_table("default_providers", _org(), _now("created_at"), *_keys("default_providers", "org_id"))
    op.execute(
        "INSERT INTO default_providers (org_id, created_at) "
        "SELECT id, defaults_created_at FROM organisation WHERE defaults_created_at IS NOT NULL"
    )
    op.execute("ALTER TABLE organisation DROP COLUMN defaults_created_at")
    _isolate("default_providers")


def _id() -> "sa.Column[object]":
    return sa.Column("id", sa.Uuid(), nullable=False)


def _org() -> "sa.Column[object]":
    return sa.Column("org_id", sa.Uuid(), server_default=sa.text(_BOUND), nullable=False)


def _time(name: str, *, nullable: bool = True) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _now(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False)


def _keys(table: str, *primary: str) -> "list[sa.Constraint]":
    return [
        sa.PrimaryKeyConstraint(*primary, name=f"{table}_pkey"),
        sa.ForeignKeyConstraint(["org_id"], ["organisation.id"], name=f"{table}_org_id_fkey", ondelete="RESTRICT"),
    ]


def _person(table: str) -> "sa.ForeignKeyConstraint":
    return sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=f"{table}_person_id_fkey", ondelete="CASCADE")


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )
