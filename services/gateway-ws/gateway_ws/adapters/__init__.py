"""Adapters: NATS behind the gateway's ports."""
