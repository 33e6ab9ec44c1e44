"""Entry points for NATS messages: requests, and commands. Each model group has its own queue of commands, its lane."""
