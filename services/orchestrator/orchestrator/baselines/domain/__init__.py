"""Combine the results of a run's gates into one verdict."""
