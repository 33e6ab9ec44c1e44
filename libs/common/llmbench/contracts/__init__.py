"""The messages on NATS: one file per message, versioned and frozen.

A message type may only gain optional fields; a breaking change is a new file with a new type. Consumers ignore fields
that they do not know. `llmbench.contracts.registry` discovers every message in this folder.
"""
