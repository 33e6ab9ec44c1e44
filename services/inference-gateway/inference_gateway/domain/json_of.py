"""Parse untrusted JSON so that the values can be traversed, summed and stored: with limited depth and no huge
integers."""

import json
from typing import Any

from llmbench.files.unreadable import MAX_DEPTH
from llmbench.http.json_depth import nests_deeper

_LONGEST_WHOLE_NUMBER = 40
"""The maximum number of characters of an integer; a longer one becomes a float.

No token count is longer, and an integer of 400 digits could not be converted to a float later.
"""


class TooDeep(ValueError):
    """Raised when lists and objects are nested too deeply to be traversed."""


def json_of(raw: bytes) -> Any:
    """Parse JSON of at most `MAX_DEPTH` levels. Invalid UTF-8 becomes U+FFFD, and lone surrogates are accepted.

    Raises `TooDeep` if the JSON has more levels, and another `ValueError` if the text is no JSON.
    """
    text = raw.decode("utf-8", "replace")
    if nests_deeper(text.encode(), MAX_DEPTH):
        raise TooDeep(f"nested more than {MAX_DEPTH} deep")
    return _DECODER.decode(text)


def _whole_number(text: str) -> int | float:
    """Parse an integer. With too many digits, it becomes a float, perhaps infinity."""
    return int(text) if len(text) <= _LONGEST_WHOLE_NUMBER else float(text)


# One decoder is shared: `json.loads` would create a new one for each event of a stream.
_DECODER = json.JSONDecoder(parse_int=_whole_number)


def to_json(value: Any) -> str:
    """Return a value as one line of JSON, with the members of objects sorted by name."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
