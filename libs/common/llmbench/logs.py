"""Logs with one shape in every service: JSON lines for programs, one readable line each for a terminal.

What is bound (`bind`) follows the task that bound it and those it starts: each line names the run, item
and call it is about, without anybody having to repeat them.

A record is one record whatever is in it: what models, files and browsers send comes by here, and may neither begin a
line of its own nor speak to the terminal.
"""

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

from llmbench.contracts.base import rfc3339
from llmbench.telemetry import current_trace_id

LogFormat = Literal["auto", "json", "text"]

_IDS = ("run_id", "group_id", "item_id", "score_id", "call_id")
_NOTHING: Mapping[str, str] = {}
# Controls, and what some readers take for the end of a line or the other direction of writing.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_bound: ContextVar[Mapping[str, str]] = ContextVar("log_context", default=_NOTHING)


def bind(**ids: str) -> None:
    """Add to what the current task's lines say."""
    _bound.set({**_bound.get(), **ids})


def bind_ids(message: object) -> None:
    """Bind the ids that a command, a report or an event carries."""
    bind(**{name: str(value) for name in _IDS if (value := getattr(message, name, None)) is not None})


@contextmanager
def bound(**ids: str) -> Iterator[None]:
    """Lines of this block say `ids`, and nothing that was bound before it."""
    token = _bound.set(ids)
    try:
        yield
    finally:
        _bound.reset(token)


def configure_logging(service: str, level: str = "INFO", form: LogFormat = "auto") -> None:
    """Records go to stderr; `auto` is text on a terminal and JSON lines anywhere else."""
    handler = logging.StreamHandler(sys.stderr)
    as_text = form == "text" or (form == "auto" and sys.stderr.isatty())
    handler.setFormatter(_Text(service) if as_text else _JsonLines(service))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Each HTTP request, NATS fetch and look at the schema's version is no news.
    for noisy in ("httpx", "httpcore", "nats", "faststream", "aiohttp.access", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


class _JsonLines(logging.Formatter):
    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": rfc3339(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname,
            "service": self._service,
            "logger": record.name,
            "message": record.getMessage(),
            **_bound.get(),
        }
        if trace_id := current_trace_id():
            line["trace_id"] = trace_id
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return escaped(json.dumps(line, ensure_ascii=False))


class _Text(logging.Formatter):
    def __init__(self, service: str) -> None:
        super().__init__(f"%(asctime)s %(levelname)-7s {service} %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802, RUF100  # logging's own name
        ids = " ".join(f"{name}={value}" for name, value in _bound.get().items())
        return escaped(super().formatMessage(record) + (f" [{ids}]" if ids else ""))

    def formatException(self, ei: Any) -> str:  # noqa: N802, RUF100  # logging's own name
        # Indented: an exception's text may have lines, and none of them shall look like a record.
        return "\n".join(f"  {escaped(line)}" for line in super().formatException(ei).split("\n"))


def escaped(text: str) -> str:
    """In one line, in JSON's spelling.

    >>> escaped("a\\nb\\x1b[2J")
    'a\\\\u000ab\\\\u001b[2J'
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
