"""A mock provider with deterministic answers, which misbehaves on request and records its calls in a ledger.

It imports nothing of llmbench, so that its records are independent evidence.
"""
