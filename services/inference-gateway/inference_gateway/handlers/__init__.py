"""The use cases of the gateway, one file each. Handlers use ports, never adapters."""
