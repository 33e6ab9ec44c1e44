"""Implement the judge's ports over NATS."""
