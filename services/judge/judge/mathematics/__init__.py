"""Comparison of mathematical expressions, in a separate process."""
