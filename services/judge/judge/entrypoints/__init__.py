"""Receive the judge's commands and requests on NATS."""
