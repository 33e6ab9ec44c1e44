"""Alembic's entry: the connection is handed in by `llmbench.db.migrate`."""

from alembic import context
from sqlalchemy import Connection

from llmbench.db.tables import metadata

connection: Connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, compare_type=True, compare_server_default=False)
with context.begin_transaction():
    context.run_migrations()
