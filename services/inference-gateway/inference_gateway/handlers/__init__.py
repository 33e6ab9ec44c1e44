"""One file per use case. Handlers know ports, never adapters."""
