"""Read a request that is a JSON body, or a form with the JSON and a file of rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any, Final, Generic, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from llmbench.http.multipart import bad_form, read_form
from llmbench.http.request_checks import require_json
from llmbench.http.web import invalid_request
from orchestrator.kernel.api.row_file import RowFormat, format_of

SPOOLED_BYTES: Final = 1024 * 1024
"""The size in bytes up to which an uploaded file is kept in memory. A larger file is kept on disk."""
_MOST_NAME: Final = 255

Body = TypeVar("Body", bound=BaseModel)


@dataclass(frozen=True)
class Sent(Generic[Body]):
    """A request, whose JSON is `body`. If a file was sent, `format` and `file_name` describe it, else they are null."""

    body: Body
    format: RowFormat | None = None
    file_name: str | None = None


def documented(model: type[BaseModel]) -> dict[str, Any]:
    """Return the OpenAPI description of a body that is JSON in the form of `model`, or a form with a file. FastAPI
    cannot derive this description."""
    schema = model.model_json_schema()
    form = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "format": "binary", "description": "JSON lines or CSV."},
            "request": {"type": "string", "description": "The JSON body, as a text."},
        },
    }
    content = {
        "application/json": {"schema": _inlined(schema, schema.get("$defs", {}))},
        "multipart/form-data": {"schema": form},
    }
    return {"requestBody": {"required": True, "content": content}}


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return the JSON Schema with each `$ref` replaced by its definition."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions)
        return {name: _inlined(part, definitions) for name, part in schema.items() if name != "$defs"}
    return [_inlined(part, definitions) for part in schema] if isinstance(schema, list) else schema


def form_hint(example: str) -> str:
    """Return a curl command that sends a form with the file `example`. Error messages show it as a hint."""
    return f"curl -F file=@{example} -F request='{{…}}'"


async def read_json_or_form(request: Request, model: type[Body], spool: IO[bytes], *, example: str) -> Sent[Body]:
    """Read a request that is JSON in the form of `model`, or a form with that JSON and a file. Write the file to
    `spool`, and rewind `spool`. `example` is the file's name in the hint for a request of another content type.

    Raises a `Problem` if the body or form is not valid, or if the file's name does not show its format.
    """
    content_type = request.headers.get("content-type", "")
    if not content_type.lower().startswith("multipart/"):
        require_json(content_type or None, f"Send JSON, or a form: {form_hint(example)}")
        return Sent(_parsed(model, await request.body()))
    form = await read_form(content_type, request.stream(), spool)
    for name in form.fields:
        if name != "request":
            raise bad_form(name[:80], "is not a field of this form; there are file and request")
    body = _parsed(model, (form.fields.get("request") or "{}").encode())
    spool.seek(0)
    # The name is stored, and PostgreSQL stores no NUL.
    file_name = (form.file_name or "").replace("\0", "")
    return Sent(body, format_of(file_name), file_name[:_MOST_NAME])


def _parsed(model: type[Body], raw: bytes) -> Body:
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        raise invalid_request([{**fault, "loc": ("body", *fault["loc"])} for fault in faults], model) from None
