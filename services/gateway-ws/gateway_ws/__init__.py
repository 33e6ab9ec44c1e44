"""Run events out to browsers: STOMP 1.2 over WebSocket, with replay and back-pressure.

It holds no state that matters: what a client missed is read again from the orchestrator."""
