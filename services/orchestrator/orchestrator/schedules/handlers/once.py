"""Build the idempotency key of a firing, and check that the secret of its run's webhook is not lost."""

import hashlib
from uuid import UUID

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import Idempotency
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.schedules.domain.records import Plan


def once(firing_id: UUID) -> Idempotency:
    """Return the idempotency key with which a firing of a schedule creates only one run.

    Its `request_hash` is not made from the request, because the schedule may be changed between two attempts. Another
    hash would let the second attempt fail."""
    key = f"schedule firing {firing_id}"
    return Idempotency(key, hashlib.sha256(key.encode()).hexdigest())


def require_webhook(plan: Plan) -> None:
    """Raise a 422 `Problem` if the secret of the plan's webhook is lost: the master key cannot decrypt it, or it was
    dropped when the key was rotated."""
    if plan.webhook is None and plan.what["request"].get("webhook_url") is not None:
        message = "does not open any more: save the schedule with a new secret"
        raise invalid([FieldError("webhook_secret", message)], "run")
