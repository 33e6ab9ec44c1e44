"""The file formats of tasks: one module each, discovered by the registry."""
