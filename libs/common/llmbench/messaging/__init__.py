"""Send and receive messages on NATS, such as through streams and the transactional outbox."""
