"""The file formats of test cases: one module each, discovered by the registry."""
