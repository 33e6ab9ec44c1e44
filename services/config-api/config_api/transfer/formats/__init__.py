"""Files of tasks: one module per format, found by the registry."""
