"""Adapters: PostgreSQL, NATS and HTTP behind the ports."""
