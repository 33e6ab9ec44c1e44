"""The judge: it turns an answer into a verdict, and has no database.

A command holds everything the judge needs. The inference gateway stores each of its model calls under a deterministic
id. So a judge that was killed repeats its steps at no cost.
"""
