"""`llmbench demo`: a benchmark of the built-in model through the public HTTP API.

Rule of this folder: it is a client. It calls the services and reads no table.
"""
