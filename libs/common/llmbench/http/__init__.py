"""The HTTP side of every service: trusted hosts and origins, limits, and error responses."""
