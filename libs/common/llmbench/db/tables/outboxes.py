"""The tables of messages that were written in a transaction and are not yet published. Each service writes its own
table.
"""

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
