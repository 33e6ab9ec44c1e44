"""The errors of llmbench that users may see. The tree says what each means, or what the user can do about it.

LlmbenchError
├── Problem                 an HTTP answer: status, title, detail, the fields at fault
├── WrongSchemaVersion      run `llmbench migrate` (or a newer llmbench)
├── DatabaseUnavailable     start PostgreSQL, or correct its URL: the message has the reason
├── BadSettings             a variable is missing, unknown or malformed: the message names it
├── SecretsLocked           MASTER_KEY is not the one the secret was sealed with, or the
│                           secret was moved to another provider, header or origin
├── ServicesRunning         stop the services that it names, then try again
└── MessageTooLarge         the message exceeds the broker's max_payload
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llmbench.tls import database_tls_trouble


class LlmbenchError(Exception):
    """The base class of llmbench's errors. Their messages may be shown to users."""


@dataclass(frozen=True)
class FieldError:
    """An error in one field of a request; `field` is the dotted path of the field, such as `targets.0.model`."""

    field: str
    message: str


class Problem(LlmbenchError):
    """An HTTP error response as RFC 9457 defines it. `slug` is its `type`, and `errors` are the fields at fault.

    `extra` adds further members to the response, such as `active_run_id`.
    """

    def __init__(
        self,
        status: int,
        title: str,
        detail: str,
        *,
        slug: str = "about:blank",
        errors: Sequence[FieldError] = (),
        extra: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(f"{status} {title}: {detail}")
        self.status = status
        self.title = title
        self.detail = detail
        self.slug = slug
        self.errors = tuple(errors)
        self.extra = dict(extra or {})


class WrongSchemaVersion(LlmbenchError):
    def __init__(self, *, found: str | None, wanted: str) -> None:
        super().__init__(
            f"the database is at schema version {found or 'none'}, this llmbench needs {wanted}: "
            "run `llmbench migrate`, or use the llmbench that made the database"
        )


class DatabaseUnavailable(LlmbenchError):
    def __init__(self, reason: str | Exception) -> None:
        trouble = database_tls_trouble(reason) if isinstance(reason, Exception) else None
        # Use the first line only: SQLAlchemy appends pages of detail.
        super().__init__(f"PostgreSQL does not answer: {trouble or (str(reason) or repr(reason)).splitlines()[0]}")


class BadSettings(LlmbenchError):
    pass


class SecretsLocked(LlmbenchError):
    pass


class ServicesRunning(LlmbenchError):
    pass


class MessageTooLarge(LlmbenchError):
    def __init__(self, *, subject: str, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(f"a message of {size_bytes} bytes for {subject} exceeds the limit of {limit_bytes} bytes")
        self.size_bytes = size_bytes
        self.limit_bytes = limit_bytes
