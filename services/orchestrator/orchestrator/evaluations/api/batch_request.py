"""Read the request of a batch: a JSON body, or a form with the JSON and a file of outputs."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

from fastapi import Request
from pydantic import ValidationError

from llmbench.errors import FieldError
from llmbench.files.columns import chosen_map
from llmbench.http.multipart import bad_form, read_form
from llmbench.http.request_checks import require_json
from llmbench.http.web import invalid_request
from orchestrator.evaluations.api.bodies import CreateBatch
from orchestrator.evaluations.api.output_file import format_of, read_outputs
from orchestrator.evaluations.ports.evaluations import Outputs
from orchestrator.kernel.domain.new_run import Idempotency
from orchestrator.kernel.domain.refusal import invalid

# Parse one file at a time, because its outputs are held in memory.
ONE_AT_A_TIME = asyncio.Semaphore(1)
SPOOLED_BYTES = 1024 * 1024
_FORM_HINT = "Send JSON, or a form: curl -F file=@outputs.jsonl -F request='{…}'"


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return the JSON Schema with each `$ref` replaced by its definition.

    FastAPI cannot describe a body that is either JSON or a form, so this module writes that part of the OpenAPI
    document itself.
    """
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions)
        return {name: _inlined(part, definitions) for name, part in schema.items() if name != "$defs"}
    return [_inlined(part, definitions) for part in schema] if isinstance(schema, list) else schema


_BATCH_SCHEMA = CreateBatch.model_json_schema()
BATCH_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": _inlined(_BATCH_SCHEMA, _BATCH_SCHEMA.get("$defs", {}))},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "JSON lines or CSV."},
                        "request": {"type": "string", "description": "The JSON body, as a text."},
                    },
                }
            },
        },
    }
}


@dataclass(frozen=True)
class Sent:
    """A request for a batch. If a file of outputs was sent, `format` and `file_name` are those of the file."""

    body: CreateBatch
    format: str | None = None
    file_name: str | None = None


async def sent_by(request: Request, spool: IO[bytes]) -> Sent:
    """Read a request that is JSON, or a form with JSON and a file. Write the file to `spool`.

    Raises a `Problem` if the body or form is not valid, or if a request without a file names no dataset version.
    """
    content_type = request.headers.get("content-type", "")
    if not content_type.lower().startswith("multipart/"):
        require_json(content_type or None, _FORM_HINT)
        body = _parsed(await request.body())
        if body.dataset_version_id is None:
            message = "name a version, or send a file of outputs: curl -F file=@outputs.jsonl -F request='{…}'"
            raise invalid([FieldError("dataset_version_id", message)], "evaluation")
        return Sent(body)
    form = await read_form(content_type, request.stream(), spool)
    for name in form.fields:
        if name != "request":
            raise bad_form(name[:80], "is not a field of this form; there are file and request")
    body = _parsed((form.fields.get("request") or "{}").encode())
    return Sent(body, format_of(form.file_name), form.file_name)


async def outputs_of(sent: Sent, spool: IO[bytes]) -> Outputs:
    if sent.format is None:
        return Outputs(version_id=sent.body.dataset_version_id, field=sent.body.config.output_field)
    spool.seek(0)
    # Parse in a thread: parsing takes CPU time, and the service must answer other requests meanwhile.
    return await asyncio.to_thread(read_outputs, spool, sent.format, sent.body.dataset_version_id, _columns(sent.body))


def _columns(body: CreateBatch) -> dict[str, str]:
    try:
        return chosen_map(body.map, outputs=True)
    except ValueError as wrong:
        raise invalid([FieldError("map", str(wrong))], "evaluation") from None


async def keyed_with_file(keyed: Idempotency | None, sent: Sent, spool: IO[bytes]) -> Idempotency | None:
    """Include the content of the file in the request hash of the idempotency key, so that the same key with another
    file is refused.

    Return `keyed` unchanged if it is null or no file was sent.
    """
    if keyed is None or sent.format is None:
        return keyed
    spool.seek(0)
    digest = hashlib.sha256(keyed.request_hash.encode())
    while chunk := await asyncio.to_thread(spool.read, SPOOLED_BYTES):
        digest.update(chunk)
    return Idempotency(keyed.key, digest.hexdigest())


def _parsed(raw: bytes) -> CreateBatch:
    try:
        return CreateBatch.model_validate_json(raw)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        raise invalid_request([{**fault, "loc": ("body", *fault["loc"])} for fault in faults], CreateBatch) from None
