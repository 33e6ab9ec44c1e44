"""The options that users cannot set, because the gateway decides them. A provider type may reserve other options
instead, or none."""

from collections.abc import Mapping, Sequence
from typing import Any

WRITTEN = ("model", "messages")
"""The options that the gateway writes itself into requests to OpenAI's API."""
RESERVED = (*WRITTEN, "stream_options")


def reserved(options: Mapping[str, Any], names: Sequence[str] = RESERVED) -> list[tuple[str, str]]:
    """Return the options that are not allowed, each with the reason.

    These are the options in `names`, and `stream` if its value is neither true nor false.

    >>> reserved({"model": "x", "top_k": 3, "stream": "no"})
    [('model', 'is decided by llmbench and cannot be set: take it out'), ('stream', 'must be true or false')]
    """
    reasons = [(name, "is decided by llmbench and cannot be set: take it out") for name in names if name in options]
    if not isinstance(options.get("stream", False), bool):
        reasons.append(("stream", "must be true or false"))
    return reasons
