"""PostgreSQL: the engine, the tables and their one migration history."""
