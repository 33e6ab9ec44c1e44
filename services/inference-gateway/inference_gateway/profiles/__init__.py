"""Provider profiles: one small file per provider type, discovered by `registry`.

A profile builds the requests to a provider and lists the provider's abilities, without side effects. A conformance test
runs its EXAMPLES.
"""
