"""Parse JSON strictly and with limits, and report the position of a fault."""

import json
import re
from typing import Any

from llmbench.files.unreadable import MAX_DEPTH


class NotJson(ValueError):
    """Raised when a text is not valid JSON, repeats a field, or is nested too deeply.

    `position` is an offset in the text. For a syntax error it is the place of the error. For any other fault it is the
    beginning of the value that was being parsed.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def value_at(text: str, position: int = 0) -> tuple[Any, int]:
    """Parse the JSON value that starts at `position`. Return the value and the position after it. Raises `NotJson` if
    no valid value starts there."""
    try:
        value, end = _decoder.raw_decode(text, position)
    except json.JSONDecodeError as error:
        raise NotJson(f"is not JSON: {error.msg}, character {error.colno} of the line", error.pos) from None
    except RecursionError:
        raise NotJson(_TOO_DEEP, position) from None
    except ValueError as error:
        raise NotJson(f"is not JSON: {error}", position) from None
    if _depth_exceeds(value, MAX_DEPTH):
        raise NotJson(_TOO_DEEP, position)
    return value, end


def after_space(text: str, position: int) -> int:
    """Return the position of the first character from `position` on that is no JSON white space, or the text's end."""
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"the field {name[:80]!r} is there twice")
        members[name] = value
    return members


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no value of JSON")


def _depth_exceeds(value: Any, depth: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    if depth == 0:
        return True
    inner = value.values() if isinstance(value, dict) else value
    return any(_depth_exceeds(part, depth - 1) for part in inner)


_SPACE = re.compile(r"[ \t\n\r]*")
_TOO_DEEP = f"is nested more than {MAX_DEPTH} deep"
_decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_constant)
