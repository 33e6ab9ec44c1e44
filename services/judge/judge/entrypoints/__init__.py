"""The judge's message entry points: commands and requests on NATS."""
