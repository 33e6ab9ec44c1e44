"""Use cases: fan-out of events, replay, and a client's STOMP session."""
