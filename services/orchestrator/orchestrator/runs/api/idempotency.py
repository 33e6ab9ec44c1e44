"""Read the header `Idempotency-Key`: a request that is repeated with the same key does its work only once."""

import hashlib
from typing import Annotated

from fastapi import Header
from pydantic import BaseModel

from orchestrator.kernel.domain.new_run import Idempotency

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="A text of your choice: repeating the request with it does the work once.",
    ),
]


def idempotency(key: str | None, operation: str, body: BaseModel | None) -> Idempotency | None:
    """Return the key with a hash of `operation` and `body`, so that the same key with a different request can be
    refused. Return `None` without a key."""
    if key is None:
        return None
    text = f"{operation}\n{body.model_dump_json() if body else ''}"
    return Idempotency(key, hashlib.sha256(text.encode()).hexdigest())
