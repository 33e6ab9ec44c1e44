"""Accept the clients' WebSockets."""
