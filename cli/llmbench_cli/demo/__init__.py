"""`llmbench demo`: a benchmark of the built-in model through the same HTTP API that users have.

Rule of this room: it is a client. What it wants, it asks the services for; it reads no table.
"""
