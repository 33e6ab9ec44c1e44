"""The 422 that names every field at fault."""

from collections.abc import Sequence

from llmbench.errors import FieldError, Problem


def invalid(errors: Sequence[FieldError], what: str = "run") -> Problem:
    detail = "; ".join(f"{error.field}: {error.message}" for error in errors[:5])
    return Problem(422, f"Invalid {what}", detail, errors=errors)
