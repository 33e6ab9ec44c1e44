"""Runs from the command line: their files, following them, and showing them. Commands and the demo share it."""
