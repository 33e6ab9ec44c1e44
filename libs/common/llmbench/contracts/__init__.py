"""The wire: one file per message, versioned and frozen.

A v1 message takes only optional additions; a break is a new file with a new type. Consumers
ignore fields they do not know. `llmbench.contracts.registry` finds every message in this folder.
"""
