"""Build error responses that several features share."""

from collections.abc import Sequence
from uuid import UUID

from llmbench.errors import FieldError, Problem


def invalid(errors: Sequence[FieldError], what: str = "run") -> Problem:
    """Return the 422 `Problem` with all `errors`; its detail names the first five. `what` names the invalid thing in
    the title."""
    detail = "; ".join(f"{error.field}: {error.message}" for error in errors[:5])
    return Problem(422, f"Invalid {what}", detail, errors=errors)


def no_runs(run_ids: Sequence[UUID]) -> Problem:
    """Return the 404 `Problem` of a request that names runs which do not exist; its detail names the first five."""
    named = ", ".join(map(str, run_ids[:5])) + (f" and {len(run_ids) - 5} more" if len(run_ids) > 5 else "")
    return Problem(404, "No such runs", f"These runs do not exist: {named}. Nothing was changed.")


def no_run(run_id: UUID) -> Problem:
    return Problem(404, "No such run", f"There is no run {run_id}.")
