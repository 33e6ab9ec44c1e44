"""Confined subprocesses for untrusted files: no environment, no network, no other files."""
