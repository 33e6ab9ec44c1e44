"""Where messages come in: the lanes of the model groups, and requests."""
