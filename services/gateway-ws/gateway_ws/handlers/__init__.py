"""The use cases of the gateway. They use no socket, and reach the orchestrator only through `gateway_ws.ports`."""
