"""Test that every kind of pydantic error that a request can cause has its own message."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    ValidationError,
    field_validator,
)

from llmbench.faults import faults_of

LIBRARY_WORDS = ("Input", "should", "Extra", "Field required", "valid ", "Value error", "String", "dictionary")


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: str
    label: str | None = None


class Case(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = ""
    short: Annotated[str, Field(min_length=1, max_length=3)] = "a"
    long: Annotated[str, Field(min_length=2)] = "ab"
    name: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]+$")] = "a"
    number: int = 0
    share: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0
    above: Annotated[int, Field(gt=0, lt=10)] = 1
    switch: bool = False
    some: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]
    trimmed: Annotated[str, AfterValidator(str.strip), Field(min_length=2, max_length=3)] = "ab"
    mapping: dict[str, int] = {}
    id: UUID | None = None
    at: datetime | None = None
    exactly: AwareDatetime | None = None
    day: date | None = None
    url: HttpUrl | None = None
    colour: Colour = Colour.RED
    word: Literal["a", "b"] = "a"
    inner: Inner | None = None
    either: str | dict[str, int] = ""
    inners: list[Inner] = []
    odd: int = 1

    @field_validator("odd")
    @classmethod
    def _odd(cls, number: int) -> int:
        if number % 2 == 0:
            raise ValueError("must be odd")
        return number


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": 7}, "text: must be a text"),
        ({"text": None}, "text: must be a text"),
        ({"short": ""}, "short: must not be empty"),
        ({"short": "abcd"}, "short: must have at most 3 characters"),
        ({"long": "a"}, "long: must have at least 2 characters"),
        ({"name": "a\n"}, "name: must not be empty, nor contain control characters"),
        ({"number": "x"}, "number: must be a whole number"),
        ({"number": 1.5}, "number: must be a whole number"),
        ({"number": "9" * 5000}, "number: is larger than any number here can be"),
        ({"share": "x"}, "share: must be a number"),
        ({"share": 2}, "share: must be at most 1"),
        ({"share": -1}, "share: must be at least 0"),
        ({"share": float("nan")}, "share: must be finite: neither NaN nor an infinity"),
        ({"above": 0}, "above: must be greater than 0"),
        ({"above": 10}, "above: must be less than 10"),
        ({"switch": "perhaps"}, "switch: must be true or false"),
        ({"some": {}}, "some: must be a list"),
        ({"some": []}, "some: must not be empty"),
        ({"some": [1, 2, 3]}, "some: must have at most 2 entries"),
        ({"trimmed": "abcd"}, "trimmed: must have a length of at most 3"),
        ({"trimmed": " a "}, "trimmed: must have a length of at least 2"),
        ({"some": [1, "x"]}, "some.1: must be a whole number"),
        ({"mapping": 1}, "mapping: must be an object"),
        ({"id": "x"}, "id: must be an id, as 0198c0de-0000-7000-8000-000000000000"),
        ({"at": "yesterday"}, "at: must be a time, as 2026-01-31T12:00:00Z"),
        ({"exactly": "2026-01-31T12:00:00"}, "exactly: must name its offset from UTC, as 2026-01-31T12:00:00Z"),
        ({"day": "31.1.2026"}, "day: must be a date, as 2026-01-31"),
        ({"url": "example"}, "url: must be a URL, as https://example.org/path"),
        ({"url": "ftp://x"}, "url: must be a URL that begins with 'http' or 'https'"),
        ({"colour": "green"}, "colour: must be 'red' or 'blue'"),
        ({"word": "c"}, "word: must be 'a' or 'b'"),
        ({"odd": 2}, "odd: must be odd"),
        ({"inner": []}, "inner: must be an object"),
        ({"inner": {}}, "inner.model: is missing"),
        ({"inner": {"model": "m", "lable": "x"}}, "inner.lable: there is no field 'lable' here; did you mean 'label'?"),
        ({"inners": [{"model": "m", "x": 1}]}, "inners.0.x: there is no field 'x' here; there is 'model', 'label'"),
        ({"either": 1}, "either: must be a text, or an object"),
        ({"nunber": 1}, "nunber: there is no field 'nunber' here; did you mean 'number'?"),
        (7, ": must be an object"),
    ],
)
def test_each_validation_error_has_a_message_of_our_own(given: Any, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Case.model_validate(given)
    [fault] = faults_of(caught.value, Case)
    shown = f"{fault.field}: {fault.message}"
    assert shown == said
    assert not [word for word in LIBRARY_WORDS if word in shown]
