"""JSON of a stranger's: what comes out can be looked at, added up and stored."""

import json
from typing import Any

from llmbench.files.unreadable import MAX_DEPTH
from llmbench.json_depth import nests_deeper

_LONGEST_WHOLE_NUMBER = 40
"""Digits and sign. No count has as many, and one of 400 digits is no float any more."""


class TooDeep(ValueError):
    """Its lists and objects are nested too deeply to be looked at."""


def json_of(raw: bytes) -> Any:
    """Lenient about text (lone surrogates, torn UTF-8), strict about JSON, of at most `MAX_DEPTH` levels. Raises
    `TooDeep`, or another `ValueError`."""
    text = raw.decode("utf-8", "replace")
    if nests_deeper(text.encode(), MAX_DEPTH):
        raise TooDeep(f"nested more than {MAX_DEPTH} deep")
    return _DECODER.decode(text)


def _whole_number(text: str) -> int | float:
    """A longer one is infinity, or near enough."""
    return int(text) if len(text) <= _LONGEST_WHOLE_NUMBER else float(text)


# `json.loads` would make one for each event of a stream.
_DECODER = json.JSONDecoder(parse_int=_whole_number)


def to_json(value: Any) -> str:
    """A value that was read as JSON as one line, the same whatever the order of its names."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
