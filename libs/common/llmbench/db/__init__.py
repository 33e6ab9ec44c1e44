"""Access to PostgreSQL: connections, tables with their migrations and rights, and stored secrets."""
