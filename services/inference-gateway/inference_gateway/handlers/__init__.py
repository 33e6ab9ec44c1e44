"""The use cases of the gateway. Handlers use ports, never adapters."""
