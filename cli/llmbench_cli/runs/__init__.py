"""Runs from the command line: files that describe them, following, and drawing. Commands share it with the demo."""
