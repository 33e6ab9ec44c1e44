"""The base of bodies that `/api/runs` accepts."""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Input(BaseModel):
    """Base class of request bodies. Unknown fields are refused, so that a misspelt one is not ignored. Texts lose the
    white space at both ends."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _storable(cls, body: Any) -> Any:
        """Refuse texts that PostgreSQL or UTF-8 cannot store: NUL characters and unpaired surrogates."""
        if not _storable(body):
            raise ValueError("texts must not contain NUL characters or halves of surrogate pairs")
        return body


def _storable(value: Any) -> bool:
    match value:
        case str():
            return not _UNSTORABLE.search(value)
        case dict():
            return all(_storable(key) and _storable(each) for key, each in value.items())
        case list():
            return all(_storable(each) for each in value)
    return True
