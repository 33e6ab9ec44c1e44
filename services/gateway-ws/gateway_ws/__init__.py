"""The WebSocket gateway: it sends run events to browsers over STOMP 1.2, with replay and backpressure.

It keeps no durable state: the orchestrator has the events that a client missed.
"""
