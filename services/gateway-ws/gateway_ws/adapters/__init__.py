"""Adapters that implement the gateway's ports over NATS."""
