"""Read the request of a batch: a JSON body, or a form with the JSON and a file of outputs."""

import asyncio
import hashlib
from typing import IO

from fastapi import Request

from llmbench.errors import FieldError
from llmbench.files.columns import OUTPUT, chosen_map
from orchestrator.evaluations.api.bodies import CreateBatch
from orchestrator.evaluations.api.output_file import read_outputs
from orchestrator.evaluations.ports.evaluations import Outputs
from orchestrator.kernel.api.json_or_form import SPOOLED_BYTES, Sent, documented, form_hint, read_json_or_form
from orchestrator.kernel.domain.new_run import Idempotency
from orchestrator.kernel.domain.refusal import invalid

# Parse one file at a time, because its outputs are held in memory.
ONE_AT_A_TIME = asyncio.Semaphore(1)
BATCH_BODY = documented(CreateBatch)
_EXAMPLE = "outputs.jsonl"


async def sent_by(request: Request, spool: IO[bytes]) -> Sent[CreateBatch]:
    """Read a request that is JSON, or a form with JSON and a file. Write the file to `spool`.

    Raises a `Problem` if the body or form is not valid, or if a request without a file names no dataset version.
    """
    sent = await read_json_or_form(request, CreateBatch, spool, example=_EXAMPLE)
    if sent.format is None and sent.body.dataset_version_id is None:
        message = f"name a version, or send a file of outputs: {form_hint(_EXAMPLE)}"
        raise invalid([FieldError("dataset_version_id", message)], "evaluation")
    return sent


async def outputs_of(sent: Sent[CreateBatch], spool: IO[bytes]) -> Outputs:
    if sent.format is None:
        return Outputs(version_id=sent.body.dataset_version_id, field=sent.body.config.output_field)
    spool.seek(0)
    # Parse in a thread: parsing takes CPU time, and the service must answer other requests meanwhile.
    return await asyncio.to_thread(read_outputs, spool, sent.format, sent.body.dataset_version_id, _columns(sent.body))


def _columns(body: CreateBatch) -> dict[str, str]:
    try:
        return chosen_map(body.map, further=[OUTPUT])
    except ValueError as wrong:
        raise invalid([FieldError("map", str(wrong))], "evaluation") from None


async def keyed_with_file(keyed: Idempotency | None, sent: Sent[CreateBatch], spool: IO[bytes]) -> Idempotency | None:
    """Return the idempotency key with a request hash that also covers the content of the file. A request with the same
    key and another file is then refused.

    Return `keyed` unchanged if it is null or no file was sent.
    """
    if keyed is None or sent.format is None:
        return keyed
    spool.seek(0)
    digest = hashlib.sha256(keyed.request_hash.encode())
    while chunk := await asyncio.to_thread(spool.read, SPOOLED_BYTES):
        digest.update(chunk)
    return Idempotency(keyed.key, digest.hexdigest())
