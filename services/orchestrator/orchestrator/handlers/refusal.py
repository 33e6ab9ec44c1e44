"""The 422 that names every field at fault."""

from collections.abc import Sequence

from llmbench.errors import FieldError, Problem


def invalid(errors: Sequence[FieldError]) -> Problem:
    detail = "; ".join(f"{error.field}: {error.message}" for error in errors[:5])
    return Problem(422, "Invalid run", detail, errors=errors)
