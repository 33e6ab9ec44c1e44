"""Providers' dialects: one small file per type, found by `registry`, with EXAMPLES that a
conformance test runs. A profile says how a request looks and what the provider can do; it is pure.
"""
