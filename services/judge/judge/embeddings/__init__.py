"""Embedding models: local ones, one file each, discovered by the registry; and a provider's."""
