"""The WebSocket gateway: it sends run events to browsers over STOMP 1.2, with replay and backpressure.

It keeps no durable state: it reads events that a client missed from the orchestrator.
"""
