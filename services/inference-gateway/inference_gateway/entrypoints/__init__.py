"""Entry points for NATS messages: commands, which arrive in one lane per model group, and requests."""
