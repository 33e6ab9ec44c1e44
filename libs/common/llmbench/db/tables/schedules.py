"""The tables of schedules and of their firings."""

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)

from llmbench.contracts.schedule_words import FiringCause, FiringStatus
from llmbench.db.columns import (
    actor_column,
    counter_column,
    id_column,
    now_column,
    one_of,
    org_column,
    owner_column,
    time_column,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

schedule = Table(
    "schedule",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    Column("cron", Text, nullable=False),
    # A name of the IANA time zone database.
    Column("time_zone", Text, nullable=False),
    # The kind and the request of the thing to start. Not `jsonb`, which would sort the fields of answers' JSON Schemas.
    Column("what", JSON, nullable=False),
    Column("skip_if_running", Boolean, nullable=False, server_default=text("true")),
    Column("paused", Boolean, nullable=False, server_default=text("false")),
    # The time of the next firing; null while the schedule is paused, or if it never fires again.
    time_column("next_due_at"),
    # The time at which `next_due_at` was computed. If it lies in the future, the clock was set back.
    time_column("decided_at", nullable=False),
    Column("version", Integer, nullable=False, server_default=text("1")),
    now_column("created_at"),
    actor_column(),
    now_column("updated_at"),
    UniqueConstraint("org_id", "name"),
    CheckConstraint("NOT paused OR next_due_at IS NULL", name="paused"),
    Index("schedule_due", "next_due_at", postgresql_where=text("next_due_at IS NOT NULL")),
    info=owned_by("orchestrator"),
)

# The webhook that the runs of a schedule get. Its secret is sealed, and opened when a run is created.
schedule_webhook = Table(
    "schedule_webhook",
    metadata,
    id_column(),
    Column("schedule_id", Uuid, ForeignKey("schedule.id", ondelete="CASCADE"), nullable=False),
    Column("url", Text, nullable=False),
    Column("sealed_secret", LargeBinary, nullable=False),
    UniqueConstraint("schedule_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)

# Each firing of a schedule. The id of a DUE one is derived from the schedule and the time, so that no time fires twice.
schedule_firing = Table(
    "schedule_firing",
    metadata,
    id_column(),
    Column("schedule_id", Uuid, ForeignKey("schedule.id", ondelete="CASCADE"), nullable=False),
    Column("cause", Text, nullable=False),
    Column("status", Text, nullable=False),
    time_column("due_at", nullable=False),
    time_column("fired_at", nullable=False),
    # The number of later due times that had passed as well, which this firing stands for.
    counter_column("missed"),
    Column("reason", Text),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="SET NULL")),
    counter_column("attempts"),
    # The end of the lease of the current attempt. After this time another orchestrator may try again.
    time_column("leased_until"),
    one_of("cause", FiringCause),
    one_of("status", FiringStatus),
    CheckConstraint("(status = 'STARTING') = (leased_until IS NOT NULL)", name="leased"),
    Index(None, "schedule_id", "fired_at", "id"),
    Index(None, "run_id"),
    Index("schedule_firing_starting", "leased_until", postgresql_where=text("status = 'STARTING'")),
    owner_column(),
    info=owned_by("orchestrator"),
)
