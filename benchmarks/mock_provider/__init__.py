"""A mock provider: fast, deterministic, misbehaving on request, with a ledger of all calls.

It imports nothing of llmbench, so that its records are independent evidence.
"""
