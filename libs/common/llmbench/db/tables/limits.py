"""The tables of plans, and of what organisations use: runs, calls and money by day.

Usage is stored apart from runs, so that it outlives a deleted run.
"""

from sqlalchemy import BigInteger, CheckConstraint, Column, Date, Float, Integer, Table, Text, Uuid, func, text
from sqlalchemy import DateTime as Time

from llmbench.db.columns import counter_column, org_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

PLANS = ("FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE")
_PLANS = ", ".join(f"'{plan}'" for plan in PLANS)

# The limits of each plan; null for no limit. The operator edits them with `llmbench plans set`.
plan = Table(
    "plan",
    metadata,
    Column("name", Text, primary_key=True),
    # Calls at a time to each model of a run.
    Column("concurrency", Integer),
    # Runs created per day in UTC, evaluations included.
    Column("runs_a_day", Integer),
    # Bytes of uploaded files.
    Column("storage_bytes", BigInteger),
    Column("members", Integer),
    Column("updated_at", Time(timezone=True), nullable=False, server_default=func.now()),
    CheckConstraint(f"name IN ({_PLANS})", name="name"),
    CheckConstraint("concurrency > 0 AND runs_a_day >= 0 AND storage_bytes >= 0 AND members > 0", name="limits"),
    info=owned_by("identity", readers=["config-api", "orchestrator"]),
)

# The number of runs that were created on a day in UTC. Creating a run locks the row, so the limit holds exactly.
runs_of_day = Table(
    "runs_of_day",
    metadata,
    org_column(primary_key=True),
    Column("day", Date, primary_key=True),
    counter_column("runs"),
    info=owned_by("orchestrator"),
)

# The calls of a day in UTC, added in the statement that stores each call. So each call counts exactly once.
usage_of_day = Table(
    "usage_of_day",
    metadata,
    Column("org_id", Uuid, primary_key=True),
    Column("day", Date, primary_key=True),
    # The creator of the run; the nil UUID without sign-in.
    Column("person_id", Uuid, primary_key=True),
    Column("model", Text, primary_key=True),
    # Calls that were made; reused answers only count as items.
    counter_column("calls", BigInteger),
    # Answered calls without a known price, whose cost counts as 0.
    counter_column("unpriced_calls", BigInteger),
    counter_column("prompt_tokens", BigInteger),
    counter_column("completion_tokens", BigInteger),
    Column("cost_usd", Float, nullable=False, server_default=text("0")),
    # Answered items.
    counter_column("items", BigInteger),
    info=owned_by("inference-gateway", readers=["orchestrator"]),
)
