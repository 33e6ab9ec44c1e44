"""A stand-in for a provider: fast, deterministic, misbehaving on request, and keeping a ledger.

It imports nothing of llmbench, so that what it records is evidence and not an echo.
"""
