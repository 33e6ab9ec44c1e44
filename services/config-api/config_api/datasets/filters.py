"""Parse the metadata filter in a request's query."""

from typing import Annotated, Any

from fastapi import Depends, Query

from config_api.problems import invalid
from llmbench.files.json_text import after_space, value_at
from llmbench.files.values import MAX_JSON_CHARACTERS, storable


def _contained(
    filter: Annotated[
        str | None,
        Query(
            max_length=MAX_JSON_CHARACTERS,
            description='JSON that the metadata has to contain; a list, at least some entries: {"difficulty": "hard"}',
        ),
    ] = None,
) -> dict[str, Any] | None:
    if filter is None:
        return None
    try:
        value, end = value_at(filter, after_space(filter, 0))
        if isinstance(value, dict) and after_space(filter, end) == len(filter):
            return storable(value)
    except ValueError:
        pass
    raise invalid("filter", 'must be an object of JSON that can be stored: {"category": "sums"}')


Contained = Annotated[dict[str, Any] | None, Depends(_contained)]
