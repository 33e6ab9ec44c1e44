"""Build the columns and checks that many tables have in common."""

from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Integer,
    LargeBinary,
    Text,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB


def id_column() -> "Column[object]":
    return Column("id", Uuid, primary_key=True)


BOUND_ORG = text("(nullif(current_setting('app.org', true), ''))::uuid")
"""The organisation that the transaction is bound to; null if it is bound to none."""


BOUND_ACTOR = text("(nullif(current_setting('app.actor', true), ''))::uuid")
"""The person that the transaction works for; null without sign-in."""


def actor_column(name: str = "created_by") -> "Column[object]":
    """Return the column with the person who created a row. It is no foreign key, because a row outlives the person."""
    return Column(name, Uuid, nullable=True, server_default=BOUND_ACTOR)


def org_column(*, primary_key: bool = False) -> "Column[object]":
    """Return the column `org_id` of a table whose rows belong directly to an organisation. The default value is the
    organisation that the transaction is bound to."""
    owner = ForeignKey("organisation.id", ondelete="RESTRICT")
    return Column("org_id", Uuid, owner, nullable=False, primary_key=primary_key, server_default=BOUND_ORG)


def owner_column() -> "Column[object]":
    """Return the column `org_id` of a table in which each row belongs to a row of another table, and so to the same
    organisation.

    The column is no foreign key: the reference to the other row already ensures that the organisation exists.
    """
    return Column("org_id", Uuid, nullable=False, server_default=BOUND_ORG)


def time_column(name: str, *, nullable: bool = True) -> "Column[object]":
    return Column(name, DateTime(timezone=True), nullable=nullable)


def now_column(name: str) -> "Column[object]":
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())


def counter_column(name: str, kind: type[Integer] | type[BigInteger] = Integer) -> "Column[object]":
    return Column(name, kind, nullable=False, server_default=text("0"))


def json_column(name: str, *, nullable: bool = False) -> "Column[object]":
    return Column(name, JSONB(none_as_null=True), nullable=nullable, server_default=None if nullable else text("'{}'"))


def list_column(name: str) -> "Column[object]":
    return Column(name, JSONB, nullable=False, server_default=text("'[]'"))


def one_of(column: str, words: type[StrEnum]) -> CheckConstraint:
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def outbox_columns() -> "list[Column[object]]":
    """Return the columns of an outbox table: `seq` orders the messages, `id` becomes the id of the message on NATS."""
    return [
        Column("seq", BigInteger, Identity(), primary_key=True),
        Column("id", Uuid, nullable=False),
        Column("subject", Text, nullable=False),
        Column("type", Text, nullable=False),
        Column("body", LargeBinary, nullable=False),
        Column("traceparent", Text),
        now_column("created_at"),
        owner_column(),
        actor_column("person_id"),
    ]
