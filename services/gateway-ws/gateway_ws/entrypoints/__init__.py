"""What comes in: WebSockets."""
