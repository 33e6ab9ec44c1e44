"""Which metadata is meant, as the query of a request says it."""

import json
from typing import Annotated, Any

from fastapi import Depends, Query

from config_api.datasets.schemas import MAX_JSON_CHARACTERS, storable
from llmbench.errors import FieldError, Problem


def _contained(
    filter: Annotated[
        str | None,
        Query(
            max_length=MAX_JSON_CHARACTERS,
            description='JSON that the metadata contains, of a list some entries: {"difficulty": "hard"}',
        ),
    ] = None,
) -> dict[str, Any] | None:
    if filter is None:
        return None
    try:
        value = json.loads(filter)
        return storable(value) if isinstance(value, dict) else _refuse()
    except (ValueError, RecursionError):
        return _refuse()


def _refuse() -> dict[str, Any]:
    fault = FieldError("filter", 'must be an object of JSON that can be stored: {"category": "sums"}')
    raise Problem(422, "Invalid request", f"filter: {fault.message}", errors=[fault])


Contained = Annotated[dict[str, Any] | None, Depends(_contained)]
