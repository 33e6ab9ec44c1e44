"""The WebSocket gateway: sends run events to browsers by STOMP 1.2, with replay and back-pressure.

It keeps no durable state: events that a client missed are read again from the orchestrator.
"""
