"""Comparing mathematical expressions, in a process of its own."""
