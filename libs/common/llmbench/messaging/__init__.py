"""Send and receive messages on NATS, through streams, requests and the transactional outbox."""
