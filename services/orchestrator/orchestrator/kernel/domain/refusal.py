"""Build error responses that several features share."""

from collections.abc import Sequence
from uuid import UUID

from llmbench.errors import FieldError, Problem


def invalid(errors: Sequence[FieldError], what: str = "run") -> Problem:
    """Return the 422 `Problem` with all `errors`; its detail names the first five. `what` names the invalid thing in
    the title."""
    detail = "; ".join(f"{error.field}: {error.message}" for error in errors[:5])
    return Problem(422, f"Invalid {what}", detail, errors=errors)


def no_run(run_id: UUID) -> Problem:
    return Problem(404, "No such run", f"There is no run {run_id}.")
