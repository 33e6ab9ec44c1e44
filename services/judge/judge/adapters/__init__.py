"""The judge's adapters to NATS."""
