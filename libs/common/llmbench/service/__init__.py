"""The start, settings and shutdown of a service."""
