"""The tables of messages that a service wrote in a transaction and has not yet published, one table per service."""

from sqlalchemy import (
    Table,
)

from llmbench.db.columns import (
    outbox_columns,
)
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

config_outbox = Table("config_outbox", metadata, *outbox_columns(), info=owned_by("config-api"))
run_outbox = Table("run_outbox", metadata, *outbox_columns(), info=owned_by("orchestrator"))
