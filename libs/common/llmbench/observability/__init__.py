"""The observability of services: logs, metrics, traces."""
