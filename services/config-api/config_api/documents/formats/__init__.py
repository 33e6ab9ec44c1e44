"""Formats of documents: one module each, found by `registry`."""
