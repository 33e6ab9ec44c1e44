"""The use cases of the gateway: fan-out of events, replay, and a client's STOMP session."""
