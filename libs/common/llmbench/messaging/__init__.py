"""NATS: the connection, the streams, publishing, and the outbox that makes publishing safe."""
