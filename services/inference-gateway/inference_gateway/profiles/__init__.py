"""Provider profiles: one small file per type, found by `registry`, with EXAMPLES that a conformance test runs.

A profile defines the requests to a provider and the provider's abilities; it is pure.
"""
