"""Implement the gateway's ports over NATS."""
