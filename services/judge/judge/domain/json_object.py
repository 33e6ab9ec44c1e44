"""Finding the JSON object a model meant, in whatever it wrote around it."""

import json
import re
from collections import deque
from typing import Any, Final, NoReturn

SEARCH_LIMIT_CHARS = 64 * 1024
"""A verdict stands at the end of a reply; a longer reply is searched from here on only."""

_SKIP_IN_A_NEST = 256
"""Nesting that is too deep has more levels than this, so the skip stays inside it. Trying each level
in turn would take seconds for a text made for it."""

_MOST_WORK: Final = 4_000_000
"""Characters that are read in vain, looking for values in a text."""
_DEEP_WORK: Final = 2_000

_OPENING: Final = re.compile(r"[{\[]")
_ANNOUNCED: Final = re.compile(r"(?:[:=]|\n|\A)\s*\Z")
_FOOTNOTE: Final = re.compile(r"\[\s*\d{1,3}\s*\]")


def last_object(text: str) -> dict[str, Any] | None:
    """The last JSON object in `text`, or None. Never raises, whatever the text.

    An object inside another one, or inside a list, is not a candidate of its own. The last one
    counts: a model that reasons aloud may quote an example, or the candidate, before its verdict.
    """
    text = text[-SEARCH_LIMIT_CHARS:]
    found: dict[str, Any] | None = None
    position = text.find("{")
    while position != -1:
        value, end = _decode(text, position)
        if isinstance(value, dict):
            found = value
        position = text.find("{", end)
    return found


def last_values(text: str, most: int) -> list[Any]:
    """Return the last JSON objects and arrays in `text`, at most `most`, in order. Never raises, whatever the text.

    One inside another is not a candidate of its own, nor is the mark of a footnote ("see [1]"). The work is bounded: in
    a text that is made to take long, those after the bound are not found."""
    found: deque[Any] = deque(maxlen=most)
    work = 0
    opening = _OPENING.search(text)
    while opening is not None and work < _MOST_WORK:
        start = opening.start()
        try:
            value, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            work += max(1, error.pos - start)
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


def whole_object(text: str) -> dict[str, Any] | None:
    """The object that `text` is, or None when it is anything else or more."""
    value, end = _decode(text, len(text) - len(text.lstrip()))
    return value if isinstance(value, dict) and not text[end:].strip() else None


def opens_object(text: str) -> bool:
    """Whether an object begins in `text` and never ends: what a token limit leaves behind."""
    start = text.find("{")
    return start != -1 and last_object(text) is None and text.count("{") > text.count("}")


def _decode(text: str, position: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, position)
    except ValueError:  # malformed JSON, NaN, or an integer of absurd length
        return None, position + 1
    except RecursionError:
        return None, position + _SKIP_IN_A_NEST
    return value, end


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
