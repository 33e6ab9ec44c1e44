"""Pure functions on text: no FastAPI, no NATS, no clock."""
