"""Combine the results of several gates."""
