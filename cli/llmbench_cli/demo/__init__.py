"""`llmbench demo`: run a benchmark of the built-in model through the public HTTP API.

This folder is a client of the platform: it calls the services and reads no table.
"""
