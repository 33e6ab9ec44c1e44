"""Compare mathematical expressions, in a separate process."""
