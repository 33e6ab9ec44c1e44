"""Adapters: NATS behind the judge's ports."""
