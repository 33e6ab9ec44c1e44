"""The service's message entry points: the lanes of the model groups, and requests."""
