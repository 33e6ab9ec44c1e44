"""Provider profiles: one small file per provider type, discovered by `registry`.

A profile describes a provider type and builds the requests to its providers, without side effects. A conformance test
runs the profile's EXAMPLES.
"""
