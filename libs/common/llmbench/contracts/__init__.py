"""The messages on NATS, one file per message, and the parts that they share.

Each message type has a version in its name. A type may only gain optional fields; a breaking change needs a new type
in a new file. Consumers ignore fields that they do not know. `llmbench.contracts.registry` discovers every message in
this folder.
"""
