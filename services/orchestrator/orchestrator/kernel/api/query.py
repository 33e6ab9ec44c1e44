"""Types of query parameters that several features share, and functions that clean the values."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query
from pydantic import AfterValidator

Text = Annotated[str | None, Query(max_length=500)]
Words = Annotated[list[Annotated[str, Query(max_length=255)]] | None, Query(max_length=100)]
CursorText = Annotated[str | None, Query(max_length=20_000, description="`next_cursor` of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=500)]


def _in_utc(moment: datetime) -> datetime:
    """Return the time in UTC; a time without an offset is taken as UTC. Raises `ValueError` if UTC has no such year."""
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("must lie between the years 1 and 9999 of UTC") from None


Moment = Annotated[datetime, AfterValidator(_in_utc)]


def clean(words: list[str] | None) -> tuple[str, ...]:
    return tuple(word.replace("\0", "") for word in words or ())


def clean_text(text: str | None) -> str | None:
    # PostgreSQL stores no NUL, so searching for NUL finds nothing.
    return (text or "").replace("\0", "") or None
