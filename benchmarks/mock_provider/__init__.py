"""Mock a provider: fast, deterministic, misbehaving on request, with a ledger of all calls.

The mock imports nothing of llmbench, so that its records are independent evidence.
"""
