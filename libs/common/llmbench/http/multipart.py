"""Parse a form with one file (RFC 7578) as it arrives: the file is not held in memory, and other parts are bounded."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import IO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from llmbench.errors import FieldError, Problem

_MAX_FIELD_BYTES = 64 * 1024
_MAX_FIELDS = 20


@dataclass
class Form:
    """A parsed form. `fields` are its text fields; the file's content is in the `spool` of `read_form`."""

    fields: dict[str, str] = field(default_factory=dict)
    file_name: str | None = None
    file_bytes: int = 0


class _Reader:
    """The callbacks of the multipart parser. Each part of the form is either the file or a text."""

    def __init__(self, spool: IO[bytes]) -> None:
        self.form = Form()
        self._spool = spool
        self.has_file = False
        self._headers: dict[bytes, bytes] = {}
        self._header = b""
        self._value = b""
        self._name = ""
        self._text: bytearray | None = None

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def on_header_end(self) -> None:
        self._headers[self._header.lower()] = self._value
        self._header = self._value = b""

    def on_headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.pop(b"content-disposition", b""))
        self._headers = {}
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" not in options and self._name != "file":
            self._text = bytearray()
            if len(self.form.fields) == _MAX_FIELDS:
                raise bad_form("body", f"has more than {_MAX_FIELDS} fields")
            return
        if self._name != "file":
            raise bad_form(self._name or "body", "is a file; the file's field is called `file`")
        if self.has_file:
            raise bad_form("file", "is there twice; upload one file at a time")
        self.has_file = True
        self._text = None
        self.form.file_name = options.get(b"filename", b"").decode("utf-8", "replace")

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._text is None:
            self._spool.write(data[start:end])
            self.form.file_bytes += end - start
            return
        self._text += data[start:end]
        if len(self._text) > _MAX_FIELD_BYTES:
            raise bad_form(self._name, f"has more than {_MAX_FIELD_BYTES} bytes")

    def on_part_end(self) -> None:
        if self._text is not None:
            self.form.fields[self._name] = self._text.decode("utf-8", "replace")
            self._text = None


async def read_form(content_type: str, body: AsyncIterator[bytes], spool: IO[bytes]) -> Form:
    """Parse a form with one file, in the field `file`, and write the file's content to `spool`.

    Raises a `Problem`: 415 for another content type, 422 for an invalid form, which names the field at fault.
    """
    kind, options = parse_options_header(content_type)
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise Problem(
            415, "Not a form", "Send multipart/form-data with the file in the field `file`: curl -F file=@x.csv"
        )
    reader = _Reader(spool)
    ended: list[bool] = []
    try:
        parser = MultipartParser(
            options[b"boundary"],
            {
                "on_header_field": reader.on_header_field,
                "on_header_value": reader.on_header_value,
                "on_header_end": reader.on_header_end,
                "on_headers_finished": reader.on_headers_finished,
                "on_part_data": reader.on_part_data,
                "on_part_end": reader.on_part_end,
                "on_end": lambda: ended.append(True),
            },
        )
        async for chunk in body:
            parser.write(chunk)
    except FormParserError as error:
        raise bad_form("body", f"is no form: {error}") from None
    if not ended:
        raise bad_form("body", "breaks off: the end of the form is missing")
    if not reader.has_file:
        raise bad_form("file", "is missing: the file's field is called `file`")
    return reader.form


def bad_form(name: str, message: str) -> Problem:
    return Problem(422, "Invalid request", f"{name}: {message}", errors=[FieldError(name, message)])
