"""Embedding models: those that run here, one file each, found by the registry; and a provider's."""
