"""Implement the ports with PostgreSQL, NATS and HTTP."""
