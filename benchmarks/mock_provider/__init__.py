"""A mock provider with deterministic answers. It misbehaves on request, and records its calls in a ledger (a log of
calls).

It imports nothing of llmbench, so that its records are independent evidence.
"""
