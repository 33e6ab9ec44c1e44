"""PostgreSQL: the engine, the tables and their migrations."""
