"""Create ids: time-ordered ids of new objects, deterministic ids of model calls, and names of model groups."""

import hashlib
import re
from uuid import UUID, uuid5

import uuid_utils.compat

DEFAULT_ORG_ID = UUID("00000000-0000-7000-8000-000000000001")
"""The only organisation of a local installation; a migration creates it."""

_CALL_NAMESPACE = UUID("8b1f3c52-6d0e-5d8a-9a67-1f6f0a7f0c11")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


def new_id() -> UUID:
    """Return a UUIDv7 (RFC 9562): unique, and ordered by creation time to the millisecond."""
    return uuid_utils.compat.uuid7()


def call_id(owner_id: UUID, *, dispatch: int, part: str = "") -> UUID:
    """Return the deterministic id of a model call: equal arguments give the same id.

    `owner_id` is the id of the item, score or group that needs the call. `part` distinguishes the calls of one
    dispatch, such as the steps of a judge.
    """
    return uuid5(_CALL_NAMESPACE, f"{owner_id}/{dispatch}/{part}")


def group_token(provider_id: UUID, model: str) -> str:
    """Return the name of a model group for NATS subjects and consumers.

    It consists of the provider's id, a readable form of the model's name, and a hash of the exact name. It has at most
    90 characters, and no dots or wildcards.
    """
    slug = _NOT_SLUG.sub("-", model.lower()).strip("-")[:40].strip("-") or "model"
    digest = hashlib.sha256(model.encode()).hexdigest()[:16]
    return f"{provider_id.hex}-{slug}-{digest}"
