"""The tables of sign-in: organisations, people, their roles and their credentials.

Only hashes of tokens and passwords are stored. `person`, `web_session`, `second_factor`, `recovery_code` and
`signing_key` belong to no organisation.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from llmbench.access import Role
from llmbench.db.columns import id_column, json_column, now_column, one_of, org_column, time_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.limits import PLANS
from llmbench.db.tables.metadata import metadata

_PLANS = ", ".join(f"'{plan}'" for plan in PLANS)

organisation = Table(
    "organisation",
    metadata,
    id_column(),
    Column("name", Text, nullable=False, unique=True),
    # The organisation's unique short name, for instance in commands; a random UUID unless a person chooses a name.
    Column("slug", Text, nullable=False, unique=True, server_default=text("(gen_random_uuid())::text")),
    Column("plan", Text, nullable=False, server_default=text("'FREE'")),
    json_column("settings"),
    Column("billing_email", Text),
    Column("version", Integer, nullable=False, server_default=text("1")),
    # The time at which an owner closed the organisation, which ends all access and its runs.
    time_column("closed_at"),
    now_column("created_at"),
    now_column("updated_at"),
    CheckConstraint(f"plan IN ({_PLANS})", name="plan"),
    info=owned_by("identity", readers=["config-api", "orchestrator"]),
)

person = Table(
    "person",
    metadata,
    id_column(),
    # Normalised by `llmbench.http.email_address.normalised_email`, so that all spellings of an address mean one person.
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("password_hash", Text),
    # The only organisation of a service account, which cannot sign in; null for a real person.
    Column("service_of", Uuid, ForeignKey("organisation.id", ondelete="CASCADE")),
    time_column("disabled_at"),
    now_column("created_at"),
    now_column("updated_at"),
    info=owned_by("identity"),
)

membership = Table(
    "membership",
    metadata,
    org_column(primary_key=True),
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    Column("role", Text, nullable=False),
    now_column("created_at"),
    one_of("role", Role),
    Index(None, "person_id"),
    info=owned_by("identity"),
)

invitation = Table(
    "invitation",
    metadata,
    id_column(),
    org_column(),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    # The address of the invited person. It is shown to the members, and not checked.
    Column("email", Text),
    # The inviting person; null for the link of the first owner.
    Column("created_by", Uuid, ForeignKey("person.id", ondelete="CASCADE")),
    now_column("created_at"),
    time_column("expires_at", nullable=False),
    time_column("used_at"),
    one_of("role", Role),
    Index(None, "org_id"),
    info=owned_by("identity"),
)

web_session = Table(
    "web_session",
    metadata,
    id_column(),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    # The organisation in which the person works at present; null if the person is not a member of any.
    Column("current_org_id", Uuid, ForeignKey("organisation.id", ondelete="SET NULL")),
    now_column("created_at"),
    time_column("expires_at", nullable=False),
    time_column("idle_expires_at", nullable=False),
    time_column("revoked_at"),
    # Address and device are shown, so that the person recognises the session.
    Column("address", Text),
    Column("device", Text),
    now_column("used_at"),
    # True if the person has shown a second factor, or was signed in by another system that is trusted to have checked
    # one.
    Column("strong", Boolean, nullable=False, server_default=text("false")),
    Index(None, "person_id"),
    info=owned_by("identity"),
)

second_factor = Table(
    "second_factor",
    metadata,
    id_column(),
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE"), nullable=False, unique=True),
    # The shared secret of RFC 6238, encrypted with a key derived from the master key.
    Column("sealed_secret", LargeBinary, nullable=False),
    now_column("created_at"),
    # Null until the person has shown a first code.
    time_column("confirmed_at"),
    # The time step of the last accepted code, so that no code is accepted twice.
    Column("last_step", BigInteger, nullable=False, server_default=text("0")),
    info=owned_by("identity"),
)

recovery_code = Table(
    "recovery_code",
    metadata,
    id_column(),
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    Column("code_hash", LargeBinary, nullable=False),
    now_column("created_at"),
    Index(None, "person_id"),
    info=owned_by("identity"),
)

password_reset = Table(
    "password_reset",
    metadata,
    id_column(),
    org_column(),
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    # True if the link also removes the second factor, because the person has lost it.
    Column("second_factor", Boolean, nullable=False, server_default=text("false")),
    # Null for a link that the operator made for an owner (`llmbench.db.owner_reset`).
    Column("created_by", Uuid, ForeignKey("person.id", ondelete="CASCADE")),
    now_column("created_at"),
    time_column("expires_at", nullable=False),
    time_column("used_at"),
    Index(None, "org_id"),
    Index(None, "person_id"),
    info=owned_by("identity"),
)

api_key = Table(
    "api_key",
    metadata,
    id_column(),
    org_column(),
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("secret_hash", LargeBinary, nullable=False),
    # Pairs `resource:verb`; null for everything that the person's role allows.
    Column("scopes", JSONB(none_as_null=True)),
    now_column("created_at"),
    time_column("expires_at"),
    time_column("last_used_at"),
    UniqueConstraint("org_id", "name"),
    Index(None, "person_id"),
    info=owned_by("identity"),
)

audit_entry = Table(
    "audit_entry",
    metadata,
    id_column(),
    org_column(),
    # The time of the statement, not of the transaction, so that entries of one transaction keep their order.
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    # No foreign key: an entry outlives the person. Null for the platform itself.
    Column("person_id", Uuid),
    Column("person_name", Text, nullable=False),
    Column("address", Text),
    Column("action", Text, nullable=False),
    Column("resource", Text, nullable=False),
    Column("resource_id", Text),
    json_column("before", nullable=True),
    json_column("after", nullable=True),
    Index(None, "org_id", "id"),
    info=owned_by("identity"),
)

signing_key = Table(
    "signing_key",
    metadata,
    id_column(),
    Column("public_key", LargeBinary, nullable=False),
    # Encrypted with a key derived from the master key.
    Column("sealed_key", LargeBinary, nullable=False),
    now_column("created_at"),
    info=owned_by("identity"),
)
