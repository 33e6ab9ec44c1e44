"""Store idempotency keys, so that a repeated request does its work only once.

The header is defined by draft-ietf-httpapi-idempotency-key-header. A key is kept as long as its run.
"""

from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.db import tables as t
from llmbench.errors import FieldError, Problem
from orchestrator.kernel.domain.new_run import Idempotency
from orchestrator.runs.ports.store import KeyTaken


async def run_of_key(connection: AsyncConnection, idempotency: Idempotency) -> UUID | None:
    """Return the id of the run that an earlier request with this key created or changed, else `None`. Raises a 422
    `Problem` if that request was a different one."""
    query = select(t.idempotency_key).where(t.idempotency_key.c.key == idempotency.key)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    if row.request_hash != idempotency.request_hash:
        message = "this key was used for another request; choose a new key for a new request"
        raise Problem(422, "Idempotency-Key used before", message, errors=[FieldError("Idempotency-Key", message)])
    run_id: UUID = row.run_id
    return run_id


async def remember_key(connection: AsyncConnection, run_id: UUID, idempotency: Idempotency) -> None:
    """Store the key with its run. Raises `KeyTaken` if another request has stored the same key."""
    values = {
        "key": idempotency.key,
        "request_hash": idempotency.request_hash,
        "run_id": run_id,
    }
    try:
        await connection.execute(insert(t.idempotency_key).values(values))
    except IntegrityError as error:
        if "idempotency_key_pkey" in str(error.orig):
            raise KeyTaken from error
        raise
