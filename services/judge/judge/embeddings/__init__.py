"""Embedding models: local ones (one file each, discovered by the registry), and those of a provider."""
