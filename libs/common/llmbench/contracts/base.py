"""What every message is: a frozen JSON body that names its own type and knows its subject."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, PlainSerializer

PREVIEW_LIMIT_BYTES = 4096
"""Events carry at most this much of a prompt or an answer; the whole lives in `model_call`."""


def rfc3339(moment: datetime) -> str:
    """UTC with milliseconds and a `Z`, the one way times are written on the wire."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


UtcTime = Annotated[AwareDatetime, PlainSerializer(rfc3339, when_used="json")]


class Value(BaseModel):
    """A part of messages: immutable, tolerant of fields a newer sender may add."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Message(Value):
    """A command, an event or a request.

    Subclasses declare `type: Literal["name.v1"]` (repeated in the header `ce-type`), `SUBJECT`
    with placeholders that are fields of the message, and `EXAMPLES` that a conformance test runs.
    """

    SUBJECT: ClassVar[str]
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ()

    type: str

    def subject(self) -> str:
        """Where this message is published."""
        return self.SUBJECT.format_map({name: getattr(self, name) for name in type(self).model_fields})


def preview(text: str, limit_bytes: int = PREVIEW_LIMIT_BYTES) -> tuple[str, bool]:
    """The first `limit_bytes` of `text` in UTF-8 without a torn character, and whether it was cut."""
    raw = text.encode("utf-8", errors="replace")
    if len(raw) <= limit_bytes:
        return text, False
    return raw[:limit_bytes].decode("utf-8", errors="ignore"), True
