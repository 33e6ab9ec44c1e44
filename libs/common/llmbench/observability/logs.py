"""Write logs in the same format in every service: JSON lines for programs, readable text for a terminal.

A task can bind ids (`bind`), such as the id of its run. They are in its log lines and in those of the tasks it starts.

Text from models, files and browsers is escaped: it can neither start a line of its own nor send control characters to
the terminal.
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
from llmbench.observability.telemetry import current_trace_id

LogFormat = Literal["auto", "json", "text"]

_IDS = ("run_id", "group_id", "item_id", "score_id", "call_id")
_NOTHING: Mapping[str, str] = {}
# Control characters, line separators, and characters that change the direction of writing.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_bound: ContextVar[Mapping[str, str]] = ContextVar("log_context", default=_NOTHING)


def bind(**ids: str) -> None:
    """Add ids, by name, to all further log lines of the current task."""
    _bound.set({**_bound.get(), **ids})


def bind_ids(message: object) -> None:
    """Add the ids of a message, such as its `run_id`, to all further log lines of the current task."""
    bind(**{name: str(value) for name in _IDS if (value := getattr(message, name, None)) is not None})


@contextmanager
def bound(**ids: str) -> Iterator[None]:
    """Write exactly these ids into the log lines of the current asyncio task until the end of the block. Ids that the
    task had before are left out of these lines, and restored afterwards."""
    token = _bound.set(ids)
    try:
        yield
    finally:
        _bound.reset(token)


def configure_logging(service: str, level: str = "INFO", form: LogFormat = "auto") -> None:
    """Write log records of at least `level` to stderr, under the name `service`. The form `auto` is text on a terminal,
    and JSON lines anywhere else."""
    handler = logging.StreamHandler(sys.stderr)
    as_text = form == "text" or (form == "auto" and sys.stderr.isatty())
    handler.setFormatter(_Text(service) if as_text else _JsonLines(service))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # These libraries log every HTTP request, NATS fetch and schema check, so only their warnings are kept.
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
        # Indented, so that no line of an exception's text looks like a record.
        return "\n".join(f"  {escaped(line)}" for line in super().formatException(ei).split("\n"))


def escaped(text: str) -> str:
    """Return the text as one line, with control characters, line separators and direction marks escaped as in JSON.

    >>> escaped("a\\nb\\x1b[2J")
    'a\\\\u000ab\\\\u001b[2J'
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
