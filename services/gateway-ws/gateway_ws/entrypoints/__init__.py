"""The gateway's entry point for WebSockets."""
