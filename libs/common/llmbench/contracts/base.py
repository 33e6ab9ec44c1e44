"""The base classes of messages and of their parts: immutable, and written as JSON."""

import re
from datetime import UTC, datetime
from functools import cache
from string import Formatter
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, PlainSerializer

from llmbench.thresholds import tidy

PREVIEW_LIMIT_BYTES = 4096
"""The size limit for prompts and answers in events. The complete text is in the table `model_call`."""


_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,200}")


def rfc3339(moment: datetime) -> str:
    """Format a time as all messages write times: in UTC, with milliseconds and a `Z`. `moment` needs a time zone."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


UtcTime = Annotated[AwareDatetime, PlainSerializer(rfc3339, when_used="json")]

Tidy = Annotated[float, AfterValidator(tidy)]
"""A computed number, rounded to 1e-9, so that 0.7 is not shown as 0.6999999999999998."""


class Value(BaseModel):
    """The base class of parts of messages: immutable, and tolerant of fields that a newer sender adds."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Message(Value):
    """The base class of commands, events and requests.

    A subclass declares `type: Literal["name.v1"]`, whose value is also sent in the header `ce-type`. `SUBJECT` is the
    NATS subject, with names of the message's fields as placeholders. A test validates the `EXAMPLES`.
    """

    SUBJECT: ClassVar[str]
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ()

    type: str

    def subject(self) -> str:
        """Return the NATS subject on which this message is published.

        Raises `ValueError` if a field in the subject is not 1 to 200 letters (ASCII), digits, hyphens or underscores. A
        dot or a wildcard would change the subject.
        """
        tokens = {name: str(getattr(self, name)) for name in _names(self.SUBJECT)}
        for name, token in tokens.items():
            if not _TOKEN.fullmatch(token):
                raise ValueError(f"{name} is {token[:80]!r}, which is no token of a NATS subject")
        return self.SUBJECT.format_map(tokens)


@cache
def _names(subject: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in Formatter().parse(subject) if name)


def preview(text: str, limit_bytes: int = PREVIEW_LIMIT_BYTES) -> tuple[str, bool]:
    """Cut `text` to at most `limit_bytes` bytes of UTF-8, between characters. Return the result and whether it was
    cut."""
    raw = text.encode("utf-8", errors="replace")
    if len(raw) <= limit_bytes:
        return text, False
    return raw[:limit_bytes].decode("utf-8", errors="ignore"), True
