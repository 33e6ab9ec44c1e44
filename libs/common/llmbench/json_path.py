"""JSONPath (RFC 9535) to a place in somebody else's JSON, as far as it needs no bound of its own.

Names, indexes, slices and wildcards, one per step. A step into every depth (`..`), several selectors in one step and
filters are refused: what they cost is for whoever writes the JSON to decide.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonpath import JSONPath

MAX_PATH_CHARACTERS = 300


class BadPath(ValueError):
    """It is no JSONPath, or one that is refused here; the text says why."""


@lru_cache(maxsize=256)
def json_path(text: str) -> "JSONPath":
    """Raises `BadPath`."""
    # A tenth of a second of imports that few need: those who ask a service that answers in JSON of its own.
    from jsonpath import JSONPath, JSONPathEnvironment, JSONPathError
    from jsonpath.segments import JSONPathChildSegment
    from jsonpath.selectors import IndexSelector, NameSelector, SliceSelector, WildcardSelector

    if len(text) > MAX_PATH_CHARACTERS:
        raise BadPath(f"must not have more than {MAX_PATH_CHARACTERS} characters")
    try:
        path = JSONPathEnvironment(strict=True).compile(text)
    except (JSONPathError, RecursionError):
        # The library's own words name its tokens.
        raise BadPath("is no JSONPath; one begins with $, as $.answer and $.sources[*].title do") from None
    plain = (NameSelector, IndexSelector, SliceSelector, WildcardSelector)
    if not isinstance(path, JSONPath) or not all(
        isinstance(step, JSONPathChildSegment) and len(step.selectors) == 1 and type(step.selectors[0]) in plain
        for step in path.segments
    ):
        raise BadPath("may only take names, indexes, slices and [*], one after another, as $.sources[*].title does")
    return path


def found(path: str, value: Any, *, most: int) -> Iterator[Any]:
    """At most `most` values at `path`, in their order. Raises `BadPath`."""
    compiled = json_path(path)
    # The library takes a text for JSON that is still to be read.
    if isinstance(value, str):
        return iter(() if compiled.segments else (value,))
    return (match.obj for match in islice(compiled.finditer(value), most))
