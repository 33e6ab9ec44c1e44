"""Logs with one shape in every service, and the W3C trace context that follows a message."""

import logging
import os
import sys
from contextvars import ContextVar

_traceparent: ContextVar[str | None] = ContextVar("traceparent", default=None)


def current_traceparent() -> str:
    """The trace this task belongs to (https://www.w3.org/TR/trace-context/); begins one if none."""
    return _traceparent.get() or new_traceparent()


def new_traceparent() -> str:
    return f"00-{os.urandom(16).hex()}-{os.urandom(8).hex()}-01"


def continue_trace(traceparent: str | None) -> None:
    """Make `traceparent` (of an HTTP request or a NATS message) the current task's trace."""
    _traceparent.set(traceparent or new_traceparent())


def configure_logging(service: str, level: str = "INFO") -> None:
    """One line per record on stderr: time, level, service, logger, message."""
    logging.basicConfig(
        level=level.upper(),
        stream=sys.stderr,
        format=f"%(asctime)s %(levelname)-7s {service} %(name)s: %(message)s",
        force=True,
    )
    # Each HTTP request, NATS fetch and look at the schema's version is no news.
    for noisy in ("httpx", "httpcore", "nats", "faststream", "aiohttp.access", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
