"""Define the base class of request bodies, the types of their text fields, and the pages of responses."""

import unicodedata
from typing import Annotated, Generic, TypeVar
from uuid import UUID

from fastapi import Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

MAX_LIMIT = 500


def _no_control(text: str) -> str:
    if any(unicodedata.category(character) in ("Cc", "Cf") for character in text):
        raise ValueError("must not contain control characters")
    return text


Name = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_no_control)]
Password = Annotated[SecretStr, Field(min_length=1, max_length=1024)]
"""An existing password, which may be shorter than a new password has to be."""
NewPassword = Annotated[SecretStr, Field(min_length=10, max_length=1024)]
Code = Annotated[str, Field(min_length=1, max_length=60)]
"""A code of a second factor: six digits, or a recovery code."""
Token = Annotated[SecretStr, Field(min_length=1, max_length=200)]

Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="At most this many per page.")]
Cursor = Annotated[UUID | None, Query(description="`next_cursor` of the previous page.")]


class Input(BaseModel):
    """Base class of bodies that refuse unknown fields, so that a typing mistake is not ignored."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


T = TypeVar("T", bound=BaseModel)


class Page(BaseModel, Generic[T]):
    items: list[T]
    next_cursor: UUID | None


def page_of(rows: list[T], limit: int, key: str = "id") -> "tuple[list[T], UUID | None]":
    """Return the rows of a page, and the cursor of the next page or `None`. The cursor is the attribute `key` of the
    page's last row. `rows` has `limit` + 1 rows if there is a next page."""
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], getattr(rows[limit - 1], key)
