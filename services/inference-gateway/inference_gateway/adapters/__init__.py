"""Implement the handlers' ports (`inference_gateway.ports`) with PostgreSQL, NATS and HTTP."""
