"""Embedding models: local ones, one file each, found by the registry; and a provider's."""
