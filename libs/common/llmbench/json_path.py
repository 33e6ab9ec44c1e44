"""Read values from the JSON of other systems by a subset of JSONPath (RFC 9535) with bounded cost.

A step is one name, index, slice or wildcard. Descendant steps (`..`), several selectors in one step and filters are
refused: the author of the JSON could make them arbitrarily expensive.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonpath import JSONPath

MAX_PATH_CHARACTERS = 300


class BadPath(ValueError):
    """Raised when a text is no JSONPath, is too long, or uses a refused feature; the message says which."""


@lru_cache(maxsize=256)
def json_path(text: str) -> "JSONPath":
    """Parse a path. Raises `BadPath` if it is invalid, too long (`MAX_PATH_CHARACTERS`), or uses a refused feature."""
    # Import here: it takes 0.1 s, and only providers with their own JSON API need it.
    from jsonpath import JSONPath, JSONPathEnvironment
    from jsonpath.segments import JSONPathChildSegment
    from jsonpath.selectors import IndexSelector, NameSelector, SliceSelector, WildcardSelector

    if len(text) > MAX_PATH_CHARACTERS:
        raise BadPath(f"must not have more than {MAX_PATH_CHARACTERS} characters")
    try:
        path = JSONPathEnvironment(strict=True).compile(text)
    except Exception:  # noqa: BLE001  # a foreign parser: it also lets an `OverflowError` of `float` pass
        # The library's message would mention its internal tokens.
        raise BadPath("is no JSONPath; one begins with $, as $.answer and $.sources[*].title do") from None
    plain = (NameSelector, IndexSelector, SliceSelector, WildcardSelector)
    if not isinstance(path, JSONPath) or not all(
        isinstance(step, JSONPathChildSegment) and len(step.selectors) == 1 and type(step.selectors[0]) in plain
        for step in path.segments
    ):
        raise BadPath("may only take names, indexes, slices and [*], one after another, as $.sources[*].title does")
    return path


def found(path: str, value: Any, *, most: int) -> Iterator[Any]:
    """Yield the first `most` values at `path` within `value`, in document order. Raises `BadPath` for an
    invalid path."""
    compiled = json_path(path)
    # Handle a string here: the library would parse it as JSON.
    if isinstance(value, str):
        return iter(() if compiled.segments else (value,))
    return (match.obj for match in islice(compiled.finditer(value), most))
