"""The HTTP layer that all services share, such as the check of hosts and origins, limits, and error responses."""
