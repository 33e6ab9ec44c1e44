"""Messages made true by a transaction and not yet published. Each is written by its service."""

from sqlalchemy import (
    Table,
)

from llmbench.db.columns import (
    outbox_columns,
)
from llmbench.db.tables.metadata import metadata

config_outbox = Table("config_outbox", metadata, *outbox_columns())
run_outbox = Table("run_outbox", metadata, *outbox_columns())
