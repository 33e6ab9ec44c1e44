"""Alembic's entry point: `llmbench.db.migrate` passes the connection in."""

from alembic import context
from sqlalchemy import Connection

from llmbench.db.tables import metadata

connection: Connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, compare_type=True, compare_server_default=False)
with context.begin_transaction():
    context.run_migrations()
