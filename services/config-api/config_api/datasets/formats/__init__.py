"""Files of test cases: one module per format, found by the registry."""
