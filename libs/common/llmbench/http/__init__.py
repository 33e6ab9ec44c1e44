"""The HTTP layer that all services share: trusted hosts and origins, limits, and error responses."""
