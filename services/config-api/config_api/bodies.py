"""Define base classes of request and response bodies, and the types of their text fields.

Texts refuse NUL characters, which PostgreSQL cannot store; names refuse every control character.
"""

import unicodedata
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from llmbench.contracts.base import UtcTime

MAX_TEXT_CHARACTERS = 1_000_000
MAX_NAME_CHARACTERS = 255


def _no_nul(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not contain NUL characters")
    return text


def _no_control(text: str) -> str:
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise ValueError("must not contain control characters")
    return text


def _blank_is_null(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS), AfterValidator(_no_control)]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARACTERS), AfterValidator(_no_nul)]
OptionalName = Annotated[Name | None, BeforeValidator(_blank_is_null)]
OptionalText = Annotated[Text | None, BeforeValidator(_blank_is_null)]
Search = Annotated[str, Field(max_length=MAX_NAME_CHARACTERS), AfterValidator(_no_nul)]


class Input(BaseModel):
    """Base class of request bodies. An unknown field is an error, so that a misspelled name is not ignored.

    White space around texts is removed.
    """

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Resource(BaseModel):
    """The base class of responses: the fields that several resources share.

    `version` grows by one with each change; it is the ETag.
    """

    id: UUID
    version: int
    created_at: UtcTime
    updated_at: UtcTime


def now() -> datetime:
    return datetime.now().astimezone()
