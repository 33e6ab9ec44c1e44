"""Find JSON objects in a model's reply, whatever text surrounds them."""

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any, Final, NoReturn

SEARCH_LIMIT_CHARS = 64 * 1024
"""The number of characters at the end of a reply that are searched. A verdict comes at the end."""

_SKIP_IN_A_NEST = 256
"""The number of characters to skip where JSON is nested too deeply to be parsed.

The nesting has more levels than this, so the skip ends inside it. Parsing again from each level would take seconds for
a hostile text.
"""

_MOST_WORK: Final = 4_000_000
"""The limit on the characters that failed parse attempts may scan in one text. Beyond it, the search stops."""
_DEEP_WORK: Final = 2_000
"""The number of characters by which an attempt to parse too deeply nested JSON counts towards `_MOST_WORK`."""

_OPENING: Final = re.compile(r"[{\[]")
_ANNOUNCED: Final = re.compile(r"(?:[:=]|\n|\A)\s*\Z")
_FOOTNOTE: Final = re.compile(r"\[\s*\d{1,3}\s*\]")


def last_object(text: str) -> dict[str, Any] | None:
    """Return the last JSON object in `text` that is not inside another, or `None`. Never raises.

    Only the last `SEARCH_LIMIT_CHARS` characters are searched.
    """
    last = None
    for last in _objects(text, _DECODER):  # noqa: B007  # only the last object is returned
        pass
    return last


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in `text` that are not inside another, in order. Never raises.

    Only the last `SEARCH_LIMIT_CHARS` characters are searched. If an object has different values under one name, the
    value of that name is a `DuplicateKey`.
    """
    return _objects(text, _STRICT)


def _objects(text: str, decoder: json.JSONDecoder) -> Iterator[dict[str, Any]]:
    text = text[-SEARCH_LIMIT_CHARS:]
    position = text.find("{")
    while position != -1:
        value, end = _decode(text, position, decoder)
        if isinstance(value, dict):
            yield value
        position = text.find("{", end)


def last_values(text: str, most: int) -> list[Any]:
    """Return the last JSON objects and arrays in `text`, at most `most`, in order. Never raises.

    Nested values are not listed on their own, nor are footnote marks ("see [1]"). The search ends at a limit of work,
    so values after a very long or hostile text may be missing.
    """
    found: deque[Any] = deque(maxlen=most)
    work = 0
    opening = _OPENING.search(text)
    while opening is not None and work < _MOST_WORK:
        start = opening.start()
        try:
            value, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            # The error also counts the lines before it, which is fast, but not free.
            work += max(1, error.pos - start) + error.pos // 256
            end = start + 1
        except ValueError:
            work += len(text) - start
            end = start + 1
        except RecursionError:
            work += _DEEP_WORK
            end = start + _SKIP_IN_A_NEST
        else:
            if not _FOOTNOTE.fullmatch(text, start, end) or _ANNOUNCED.search(text, max(0, start - 10), start):
                found.append(value)
        opening = _OPENING.search(text, end)
    return list(found)


def only_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object if `text` is nothing else, apart from white space around it; otherwise return `None`."""
    value, end = _decode(text, len(text) - len(text.lstrip()), _DECODER)
    return value if isinstance(value, dict) and not text[end:].strip() else None


def opens_object(text: str) -> bool:
    """Return whether `text` seems to end within a JSON object, as after a token limit.

    That is so if it has no complete object, and more opening than closing braces.
    """
    start = text.find("{")
    return start != -1 and last_object(text) is None and text.count("{") > text.count("}")


def _decode(text: str, position: int, decoder: json.JSONDecoder) -> tuple[Any, int]:
    try:
        value, end = decoder.raw_decode(text, position)
    except ValueError:  # malformed JSON, NaN, or an integer of absurd length
        return None, position + 1
    except RecursionError:
        return None, position + _SKIP_IN_A_NEST
    return value, end


class DuplicateKey(tuple[Any, Any]):
    """Two different values that a JSON object has under the same name: the first value, and the last value that differs
    from it."""

    __slots__ = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        kept = members.get(name, value)
        if not isinstance(kept, DuplicateKey):
            members[name] = value if kept == value else DuplicateKey((kept, value))
        elif value != kept[0]:
            members[name] = DuplicateKey((kept[0], value))
    return members


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
_STRICT = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_object)
