"""Implement the ports of `orchestrator.runs.ports.transaction` in PostgreSQL."""
