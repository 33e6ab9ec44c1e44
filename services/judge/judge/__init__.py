"""The judge service: it scores answers, and has no database.

The command to score an answer contains all data that the judge needs. The inference gateway stores each of the judge's
model calls under a deterministic id. A judge that was killed can therefore repeat its calls at no cost.
"""
